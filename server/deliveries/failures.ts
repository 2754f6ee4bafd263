import { type Failures, MAX_FAILURE_GROUPS, MAX_FAILURES_GROUPED, TREND_DAYS } from "#contracts/failures.ts";
import { toId } from "#contracts/ids.ts";
import { groupFailures } from "#db/queries/failures.ts";
import { boundedRead } from "../bounded-read.ts";
import type { Ctx } from "../context.ts";

const DAY_MS = 86_400_000;

/** The failed deliveries by endpoint and reason. */
export async function listFailures(ctx: Ctx): Promise<Failures> {
  const todayMs = Math.floor(ctx.now().getTime() / DAY_MS) * DAY_MS;
  const days = Array.from(
    { length: TREND_DAYS },
    (_, n) => new Date(todayMs - (TREND_DAYS - 1 - n) * DAY_MS),
  );
  const rows = await boundedRead(ctx.db, (conn) =>
    groupFailures(conn, {
      tenantId: ctx.tenantId,
      most: MAX_FAILURES_GROUPED,
      days,
      limit: MAX_FAILURE_GROUPS,
    }),
  );
  const total = rows[0]?.total ?? 0;
  return {
    total,
    complete: total < MAX_FAILURES_GROUPED && (rows[0]?.groups ?? 0) <= MAX_FAILURE_GROUPS,
    days: days.map((day) => day.toISOString()),
    groups: rows.map((row) => ({
      endpoint_id: toId("endpoint", row.endpointId),
      failure_reason: row.failureReason,
      failure_classes: row.failureClasses as Failures["groups"][number]["failure_classes"],
      count: row.count,
      oldest_at: row.oldestAt.toISOString(),
      newest_at: row.newestAt.toISOString(),
      per_day: row.perDay,
    })),
  };
}
