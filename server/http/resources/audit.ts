import { listAuditEntries, verifyAuditLog } from "#contracts/audit.ts";
import { type ListedAuditRow, listAuditPage } from "#db/queries/audit.ts";
import { chainName, chainOf, toAuditEntry } from "#server/audit/to-audit-entry.ts";
import { verifyChains } from "#server/audit/verify-audit.ts";
import { boundedRead } from "#server/bounded-read.ts";
import { cutPage } from "#server/domain/page.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

export const auditRoutes = [
  listRoute(listAuditEntries, {
    async read(conn, _ctx, { filters: { chain, ...filters } }, page) {
      return cutPage(await listAuditPage(conn, { ...filters, tenantId: chainOf(chain) }, page), page);
    },
    position: (row: ListedAuditRow) => [row.position, row.tenantId, row.number],
    show: toAuditEntry,
  }),
  route(verifyAuditLog, {
    async handle(ctx, { query }) {
      const chains = await boundedRead(ctx.db, (conn) => verifyChains(conn, chainOf(query.chain)));
      const broken = chains.flatMap(({ tenantId, brokenAt }) =>
        brokenAt === null ? [] : [{ tenant_id: chainName(tenantId), number: Number(brokenAt) }],
      );
      const entries = chains.reduce((sum, chain) => sum + chain.entries, 0);
      return { body: { intact: broken.length === 0, chains: chains.length, entries, broken } };
    },
  }),
];
