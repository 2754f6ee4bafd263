import type { VerificationFailure } from "./verification-error.ts";

/** What became of a request, in a word. */
export type Result =
  | "stored"
  | "known"
  | "missing_delivery_id"
  | "missing_event_type"
  | "incomplete_body"
  | "method_not_allowed"
  | "body_too_large"
  | "internal_error"
  | VerificationFailure;

/** How a request was answered. On 401 the ids are what the request claims; nothing vouches for them. */
export type Outcome = {
  status: 200 | 202 | 400 | 401 | 405 | 413 | 500;
  result: Result;
  deliveryId: string | null;
  eventType: string | null;
};

/** The status that answers a result. */
export function statusOf(result: Result): Outcome["status"] {
  switch (result) {
    case "stored":
      return 202;
    case "known":
      return 200;
    case "missing_delivery_id":
    case "missing_event_type":
    case "incomplete_body":
      return 400;
    case "method_not_allowed":
      return 405;
    case "body_too_large":
      return 413;
    case "internal_error":
      return 500;
    default:
      return 401;
  }
}
