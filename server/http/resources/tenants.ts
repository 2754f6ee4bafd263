import { fromId } from "#contracts/ids.ts";
import { createTenant, getTenant, listTenants, patchTenant } from "#contracts/tenants.ts";
import type { Tx } from "#db/client.ts";
import { findTenant, type TenantRow } from "#db/queries/tenants.ts";
import { type AuditEntry, appendAudit } from "#server/audit/append-audit.ts";
import type { Ctx } from "#server/context.ts";
import { listTenants as readTenants } from "#server/tenants/list-tenants.ts";
import { changeTenant, makeTenant } from "#server/tenants/save-tenant.ts";
import { toTenant } from "#server/tenants/to-tenant.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

const find = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("tenant", params.id);
  return id === undefined ? undefined : findTenant(ctx.db, id);
};

/** Notes in the log of the tenant that was changed. */
const noteIn = (tx: Tx, ctx: Ctx) => (tenantId: string, entry: AuditEntry) =>
  appendAudit(tx, { ...ctx, tenantId }, entry);

export const tenantRoutes = [
  listRoute(listTenants, {
    read: (conn, _ctx, _input, page) => readTenants(conn, page),
    position: (tenant: TenantRow) => [tenant.createdPosition, tenant.id],
    show: toTenant,
  }),
  route(createTenant, {
    async handle(ctx, { body }) {
      const made = await ctx.transaction((tx) => makeTenant(tx, noteIn(tx, ctx), body, ctx.now()));
      const shown = toTenant(made);
      return { body: shown, location: `/tenants/${shown.id}` };
    },
  }),
  route(getTenant, { find, handle: async (_ctx, { found }) => ({ body: toTenant(found) }) }),
  route(patchTenant, {
    find,
    async handle(ctx, { found, body }) {
      return {
        body: toTenant(await ctx.transaction((tx) => changeTenant(tx, noteIn(tx, ctx), found.id, body))),
      };
    },
  }),
];
