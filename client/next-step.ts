import type { Attempt, Delivery, FailureClass } from "#contracts/deliveries.ts";
import { explainDisabled } from "#contracts/endpoint-health.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { explainOutcome } from "#contracts/explain-outcome.ts";
import { OUTCOME_TABLE, type OutcomeRow } from "#contracts/outcomes.ts";
import { longSpan, until, utcMoment } from "./format.ts";

/** What happens next to a delivery, or why nothing does, in words. */
export interface NextStep {
  /** One short sentence. */
  headline: string;
  /** The reason, where there is one to give. */
  reason: string | null;
}

const FAILED: Record<FailureClass, string> = {
  permanent: "It will not be retried by itself.",
  exhausted: "It will not be retried by itself: every attempt of its schedule has been made.",
  gone: "It will not be retried: the receiver says that the address is gone, and the endpoint was disabled.",
  blocked: "It will not be retried: the address policy forbids to call that address.",
};

const LOST =
  "It will not be retried by itself: three times in a row the worker that sent it stopped in the middle.";

export function nextStepOf(
  delivery: Delivery,
  context: { last: Attempt | undefined; endpoint: Endpoint | undefined; nowMs: number },
): NextStep {
  switch (delivery.status) {
    case "pending":
      return pendingStep(delivery, context);
    case "in_flight":
      return { headline: `Attempt ${delivery.attempts + 1} is on its way.`, reason: null };
    case "delivered":
      return deliveredStep(delivery);
    case "failed":
      return {
        headline:
          delivery.failure_reason === "worker_lost" ? LOST : FAILED[delivery.failure_class ?? "permanent"],
        reason: delivery.failure_class === "permanent" ? whyOf(delivery.failure_reason) : null,
      };
    case "cancelled":
      return {
        headline: "It will not be sent.",
        reason:
          context.endpoint?.status === "disabled"
            ? `Its endpoint is disabled. ${explainDisabled(context.endpoint.disabled_reason)}`
            : "It was cancelled: by a person, or because its endpoint was disabled or deleted.",
      };
    case "dismissed":
      return {
        headline: "It will not be retried by itself.",
        reason: "It failed, and a member of staff has set it aside.",
      };
  }
}

function pendingStep(
  delivery: Delivery,
  { last, endpoint, nowMs }: { last: Attempt | undefined; endpoint: Endpoint | undefined; nowMs: number },
): NextStep {
  if (endpoint?.status === "paused")
    return { headline: "It is held until its endpoint is resumed.", reason: "The endpoint is paused." };
  const number = delivery.attempts + 1;
  const dueAt = delivery.next_attempt_at;
  if (dueAt === null || Date.parse(dueAt) <= nowMs)
    return { headline: `Attempt ${number} is due now: the next free worker takes it.`, reason: null };
  return {
    headline: `Attempt ${number} follows ${until(Date.parse(dueAt), nowMs)}, at ${utcMoment(dueAt)}.`,
    reason: reasonToTryAgain(last),
  };
}

function reasonToTryAgain(last: Attempt | undefined): string | null {
  if (!last) return null;
  const wasTheEnd = last.outcome === "ok" || last.outcome === "permanent" || last.outcome === "disable";
  return wasTheEnd ? "Somebody has asked to send it again." : whyOf(last.error_code);
}

function deliveredStep(delivery: Delivery): NextStep {
  const { delivered_at: at, created_at: from, attempts } = delivery;
  const span = at ? `, ${longSpan(Date.parse(at) - Date.parse(from))} after the event` : "";
  const tries = attempts === 1 ? "at the first attempt" : `after ${attempts} attempts`;
  return { headline: `The endpoint accepted it ${tries}${span}.`, reason: null };
}

/** Why a result is treated as it is: the reason of its row in the outcome table. */
export function whyOf(errorCode: string | null): string | null {
  if (errorCode === null) return null;
  const status = Number(/^http_(\d+)$/.exec(errorCode)?.[1]);
  const row = OUTCOME_TABLE.find((each) => isAbout(each, errorCode, status));
  return row ? `${explainOutcome(errorCode)} ${row.why}` : explainOutcome(errorCode);
}

function isAbout(row: OutcomeRow, errorCode: string, status: number): boolean {
  if (row.errorCode === errorCode) return true;
  if (row.errors?.some((code) => code === errorCode)) return true;
  return (row.statuses ?? []).some((range) =>
    typeof range === "number" ? range === status : status >= range[0] && status <= range[1],
  );
}
