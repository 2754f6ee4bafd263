import type * as z from "zod";
import { type EndpointStatsQuery, MAX_STATS_BUCKETS } from "#contracts/endpoint-stats.ts";
import { bucketRange } from "../domain/endpoint-stats.ts";
import { AppError } from "../errors.ts";

/** The buckets that statistics are asked for. Throws `invalid-parameter` for too many of them, or none. */
export function statsRange(
  asked: z.output<typeof EndpointStatsQuery>,
  now: Date,
): ReturnType<typeof bucketRange> {
  const range = bucketRange(asked, now);
  if (range.count === 0) throw new AppError("invalid-parameter", "from must be before to.");
  if (range.count > MAX_STATS_BUCKETS)
    throw new AppError(
      "invalid-parameter",
      `bucket: from and to are ${range.count} buckets apart, and ${MAX_STATS_BUCKETS} is the most there may be.`,
    );
  return range;
}
