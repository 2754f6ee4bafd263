import type { oas31 } from "zod-openapi";
import type { Outcome } from "#contracts/deliveries.ts";
import { OUTCOME_TABLE, type OutcomeRow } from "#contracts/outcomes.ts";

/** What each outcome of an attempt means for its delivery. */
export const OUTCOME_MEANINGS: Record<Outcome, string> = {
  ok: "Delivered.",
  retry: "Tried again on the full schedule.",
  retry_short: "Tried again, fewer times than on the full schedule.",
  permanent: "Failed for good; it can be replayed.",
  disable: "Failed for good, and the endpoint is disabled.",
  lost: "Tried again at once.",
};

/** What each answer of a receiver leads to, by its status as OpenAPI writes it; from the one table of outcomes. */
export function receiverAnswers(): Record<string, oas31.ResponseObject> {
  return Object.fromEntries(
    OUTCOME_TABLE.flatMap((row) => (row.statuses ?? []).map((of) => [codeOf(of), answer(row)])),
  );
}

function answer({ outcome, why, honoursRetryAfter }: OutcomeRow): oas31.ResponseObject {
  const retryAfter: oas31.HeaderObject = {
    description: "Seconds or an HTTP-date to wait at least.",
    schema: { type: "string", examples: ["120"] },
  };
  return {
    description: `${OUTCOME_MEANINGS[outcome]} ${why}`,
    ...(honoursRetryAfter ? { headers: { "Retry-After": retryAfter } } : {}),
  };
}

/** How OpenAPI names a status, a hundred of them, or all that are left. */
function codeOf(of: number | readonly [number, number]): string {
  if (typeof of === "number") return String(of);
  const [from, to] = of;
  if (!Number.isFinite(to)) return "default";
  if (from % 100 !== 0 || to !== from + 99)
    throw new RangeError(`${from} to ${to} cannot be told in OpenAPI.`);
  return `${from / 100}XX`;
}
