import type * as z from "zod";
import { type DismissalOfMany, MAX_DISMISSED } from "#contracts/failures.ts";
import { fromId, toId, uuidFloor } from "#contracts/ids.ts";
import { MAX_RANGE_DAYS } from "#contracts/replays.ts";
import { countFailed, dismissAllFailed, type FailedRange } from "#db/queries/failures.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { boundedRead, boundStatements } from "../bounded-read.ts";
import type { Ctx } from "../context.ts";
import { validationError } from "../errors.ts";

const DAY_MS = 86_400_000;

/** Closes failed deliveries of a range of time as seen to, or counts them. Throws `validation-error` for a bad range. */
export async function dismissDeliveries(
  ctx: Ctx,
  wanted: z.output<typeof DismissalOfMany>,
  isDry: boolean,
): Promise<{ total: number; has_more: boolean }> {
  const range = rangeOf(ctx.tenantId, wanted);
  // One more tells whether there are more.
  const counted = (count: number) => ({
    total: Math.min(count, MAX_DISMISSED),
    has_more: count > MAX_DISMISSED,
  });
  if (isDry) return counted(await boundedRead(ctx.db, (conn) => countFailed(conn, range, MAX_DISMISSED + 1)));
  return ctx.transaction(async (tx) => {
    const result = await boundStatements(tx, async () => {
      const total = await dismissAllFailed(tx, range, MAX_DISMISSED);
      const isMore = total === MAX_DISMISSED && (await countFailed(tx, range, 1)) > 0;
      return { total, has_more: isMore };
    });
    const { from, to, ...rest } = wanted;
    await appendAudit(tx, ctx, {
      action: "deliveries.dismiss",
      target: wanted.endpoint_id ?? toId("tenant", ctx.tenantId),
      before: { status: "failed" },
      after: {
        status: "dismissed",
        ...{ from: from.toISOString(), to: to.toISOString(), ...rest },
        total: result.total,
      },
    });
    return result;
  });
}

function rangeOf(tenantId: string, wanted: z.output<typeof DismissalOfMany>): FailedRange {
  const { from, to, endpoint_id, failure_reasons } = wanted;
  if (from > to) throw validationError([{ detail: "must not be after `to`", pointer: "#/from" }]);
  if (to.getTime() - from.getTime() > MAX_RANGE_DAYS * DAY_MS)
    throw validationError([
      { detail: `must be at most ${MAX_RANGE_DAYS} days after \`from\``, pointer: "#/to" },
    ]);
  return {
    tenantId,
    fromId: uuidFloor(from.getTime()),
    toId: uuidFloor(to.getTime()),
    endpointId: endpoint_id === undefined ? null : (fromId("endpoint", endpoint_id) ?? null),
    failureReasons: failure_reasons ?? null,
  };
}
