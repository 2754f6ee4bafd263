import type { Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import type { Role } from "#contracts/scopes.ts";
import { holds } from "./session.ts";

/**
 * Why a delivery cannot be replayed now, for people; `null` when it can. The server decides anew in any case.
 * `endpoint`: `undefined` while it is not known, `null` when there is none any more.
 */
export function replayRefusal(
  delivery: Delivery,
  endpoint: Endpoint | null | undefined,
  role: Role,
): string | null {
  if (!holds(role, "deliveries:replay"))
    return `Your role, ${role}, may look but not replay. Ask somebody with the role support.`;
  if (delivery.status === "in_flight") return "An attempt is on its way. Wait for its result.";
  if (delivery.status === "pending")
    return "It is still being tried by itself, so there is nothing to replay.";
  if (endpoint === null) return "Its endpoint has been deleted.";
  if (endpoint?.status === "disabled") return "Its endpoint is disabled. Enable the endpoint first.";
  return null;
}
