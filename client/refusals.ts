import type { EventType } from "#contracts/event-types.ts";
import type { Replay } from "#contracts/replays.ts";
import type { StoredEvent } from "./events.ts";
import type { Refuse } from "./role-refusal.ts";

// Why something cannot be done now, for people; `null` when it can. The server decides anew in any case.

export function expungeRefusal(event: StoredEvent, refuse: Refuse): string | null {
  if (event.data === null) return "Its data was expunged already.";
  return refuse("events:expunge", "expunge data");
}

/** `type` is absent where a new one is to be made. */
export function eventTypeRefusal(type: EventType | undefined, refuse: Refuse): string | null {
  if (type?.built_in)
    return "Posthorn itself emits events of this type; it can be neither changed nor deleted.";
  return refuse("event-types:write", "change event types");
}

export function cancelRefusal({ status }: Replay, refuse: Refuse): string | null {
  if (status === "completed" || status === "cancelled") return "It has ended.";
  return refuse("deliveries:replay", "cancel replays");
}
