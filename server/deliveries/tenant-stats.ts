import type * as z from "zod";
import { toId } from "#contracts/ids.ts";
import {
  MAX_FAILING_ENDPOINTS,
  MAX_STATS_DAYS,
  MAX_WAITING_LOOKED_AT,
  type TenantStats,
  type TenantStatsQuery,
} from "#contracts/tenant-stats.ts";
import { findOldestDue, listFailingEndpoints, sumTenantMinutes } from "#db/queries/tenant-minutes.ts";
import { boundedRead } from "../bounded-read.ts";
import type { Ctx } from "../context.ts";
import { summarize } from "../domain/endpoint-stats.ts";
import { statsRange } from "../endpoints/stats-range.ts";
import { AppError } from "../errors.ts";

const DAY_MS = 86_400_000;

/** How attempts at all endpoints of a tenant went. Throws `invalid-parameter` for a range that is too long, or none. */
export async function tenantStats(ctx: Ctx, asked: z.output<typeof TenantStatsQuery>): Promise<TenantStats> {
  const range = statsRange(asked, ctx.now());
  if (range.toMs - range.fromMs > MAX_STATS_DAYS * DAY_MS)
    throw new AppError(
      "invalid-parameter",
      `from: with whole buckets the range may be ${MAX_STATS_DAYS} days at most.`,
    );
  const of = { tenantId: ctx.tenantId, from: new Date(range.fromMs), to: new Date(range.toMs) };
  const { rows, failing, due } = await boundedRead(ctx.db, async (conn) => ({
    rows: await sumTenantMinutes(conn, { ...of, bucketMs: range.bucketMs }),
    failing: await listFailingEndpoints(conn, { ...of, limit: MAX_FAILING_ENDPOINTS }),
    due: await findOldestDue(conn, { tenantId: ctx.tenantId, limit: MAX_WAITING_LOOKED_AT }),
  }));
  return {
    from: of.from.toISOString(),
    to: of.to.toISOString(),
    bucket: asked.bucket,
    ...summarize(range, new Map(rows.map((row) => [row.start.getTime(), row]))),
    failing_endpoints: failing.map(({ endpointId, attempts, failed, breaker }) => ({
      endpoint_id: toId("endpoint", endpointId),
      attempts,
      failed,
      circuit_breaker: breaker as TenantStats["failing_endpoints"][number]["circuit_breaker"],
    })),
    oldest_due: due ? { delivery_id: toId("delivery", due.id), due_at: due.dueAt.toISOString() } : null,
  };
}
