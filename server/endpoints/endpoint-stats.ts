import type * as z from "zod";
import type { BreakerState } from "#contracts/circuit-breaker.ts";
import { type EndpointStats, type EndpointStatsQuery, LATENCY_BOUNDS_MS } from "#contracts/endpoint-stats.ts";
import { toId } from "#contracts/ids.ts";
import { type BreakerRow, findBreaker } from "#db/queries/circuit-breakers.ts";
import { sumHours } from "#db/queries/endpoint-hours.ts";
import { sumMinutes } from "#db/queries/endpoint-minutes.ts";
import type { EndpointRow } from "#db/queries/endpoints.ts";
import { boundedRead } from "../bounded-read.ts";
import type { Ctx } from "../context.ts";
import { summarize } from "../domain/endpoint-stats.ts";
import { statsRange } from "./stats-range.ts";

/** How attempts at an endpoint went, bucket by bucket. Throws `invalid-parameter` for too many buckets, or none. */
export async function endpointStats(
  ctx: Ctx,
  { id }: EndpointRow,
  asked: z.output<typeof EndpointStatsQuery>,
): Promise<EndpointStats> {
  const range = statsRange(asked, ctx.now());
  const [from, to] = [new Date(range.fromMs), new Date(range.toMs)];
  const endpoint = { tenantId: ctx.tenantId, endpointId: id };
  const sum = asked.bucket === "minute" ? sumMinutes : sumHours;
  const rows = await boundedRead(ctx.db, (conn) =>
    sum(conn, { ...endpoint, from, to, bucketMs: range.bucketMs }),
  );
  const breaker = await findBreaker(ctx.db, endpoint);
  return {
    endpoint_id: toId("endpoint", id),
    from: from.toISOString(),
    to: to.toISOString(),
    bucket: asked.bucket,
    latency_bounds_ms: [...LATENCY_BOUNDS_MS],
    circuit_breaker: shown(breaker),
    ...summarize(range, new Map(rows.map((row) => [row.start.getTime(), row]))),
  };
}

function shown(row: BreakerRow | undefined): EndpointStats["circuit_breaker"] {
  const state = (row?.state ?? "closed") as BreakerState;
  return { state, until: state === "closed" ? null : (row?.until?.toISOString() ?? null) };
}
