import type { Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import type { Refuse } from "./role-refusal.ts";

/**
 * Why a delivery cannot be replayed now, for people; `null` when it can. The server decides anew in any case.
 * `endpoint`: `undefined` while it is not known, `null` when there is none any more.
 */
export function replayRefusal(
  delivery: Delivery,
  endpoint: Endpoint | null | undefined,
  refuse: Refuse,
): string | null {
  const refused = refuse("deliveries:replay", "replay");
  if (refused !== null) return refused;
  if (delivery.status === "in_flight") return "An attempt is on its way. Wait for its result.";
  if (delivery.status === "pending")
    return "It is still being tried by itself, so there is nothing to replay.";
  if (endpoint === null) return "Its endpoint has been deleted.";
  if (endpoint?.status === "disabled") return "Its endpoint is disabled. Enable the endpoint first.";
  return null;
}
