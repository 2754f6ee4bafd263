import type { EventType } from "#contracts/event-types.ts";
import type { Replay } from "#contracts/replays.ts";
import type { Role, Scope } from "#contracts/scopes.ts";
import type { StoredEvent } from "./events.ts";
import { holds } from "./session.ts";

// Why something cannot be done now, for people; `null` when it can. The server decides anew in any case.

const unlessHeld = (role: Role, scope: Scope, what: string, whom: Role): string | null =>
  holds(role, scope)
    ? null
    : `Your role, ${role}, may look but not ${what}. Ask somebody with the role ${whom}.`;

export function expungeRefusal(event: StoredEvent, role: Role): string | null {
  if (event.data === null) return "Its data was expunged already.";
  return unlessHeld(role, "events:expunge", "expunge data", "admin");
}

/** `type` is absent where a new one is to be made. */
export function eventTypeRefusal(type: EventType | undefined, role: Role): string | null {
  if (type?.built_in)
    return "Posthorn itself emits events of this type; it can be neither changed nor deleted.";
  return unlessHeld(role, "event-types:write", "change event types", "admin");
}

export function cancelRefusal({ status }: Replay, role: Role): string | null {
  if (status === "completed" || status === "cancelled") return "It has ended.";
  return unlessHeld(role, "deliveries:replay", "cancel replays", "support");
}
