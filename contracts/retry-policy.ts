import * as z from "zod";

/** The longest pause that an endpoint's own schedule may have, and the most attempts it may ask for. */
const LONGEST_PAUSE_SECONDS = 86_400;
const MOST_ATTEMPTS = 15;

const MaxAttempts = z
  .int()
  .min(1)
  .max(MOST_ATTEMPTS)
  .nullable()
  .describe(
    "The first attempt included; null: one more than `schedule_seconds` has pauses, or the usual number.",
  );
const ScheduleSeconds = z
  .array(z.int().min(1).max(LONGEST_PAUSE_SECONDS))
  .min(1)
  .max(MOST_ATTEMPTS - 1)
  .nullable()
  .describe(
    "The pauses between attempts, each up to a fifth shorter or longer, the last for all that follow; null: the usual ones.",
  )
  .meta({ example: [5, 300, 1800, 7200] });

/** How often, and after which pauses, a delivery is tried again; null is the usual schedule. */
export const RetryPolicy = z
  .strictObject({ max_attempts: MaxAttempts.default(null), schedule_seconds: ScheduleSeconds.default(null) })
  .meta({ id: "RetryPolicy", example: { max_attempts: 5, schedule_seconds: [5, 300, 1800, 7200] } });
export type RetryPolicy = z.infer<typeof RetryPolicy>;

/** A merge patch on it. */
export const RetryPolicyPatch = z
  .strictObject({ max_attempts: MaxAttempts.optional(), schedule_seconds: ScheduleSeconds.optional() })
  .meta({ example: { max_attempts: 5 } });
