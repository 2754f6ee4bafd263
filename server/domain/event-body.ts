import { API_VERSION } from "#contracts/events.ts";
import { toId } from "#contracts/ids.ts";

/** The text of an event around its sequence, which is only known when the transaction ends. */
export interface EventFrame {
  head: string;
  tail: string;
}

/** Frames an event; `data` is JSON text that is kept to the byte: key order, number spelling and escapes. */
export function frameEvent(event: { id: string; type: string; at: Date; data: string }): EventFrame {
  const id = toId("event", event.id);
  return {
    head: `{"id":"${id}","type":${JSON.stringify(event.type)},"timestamp":"${event.at.toISOString()}","sequence":`,
    tail: `,"api_version":"${API_VERSION}","data":${event.data}}`,
  };
}

/** The exact text that is stored, delivered and read back. */
export function eventBody(frame: EventFrame, sequence: string): string {
  return frame.head + sequence + frame.tail;
}

/** What is kept of an event whose data was expunged: all but that, and since when. */
export function expungedBody(
  event: { id: string; type: string; sequence: string; createdAt: Date },
  expungedAt: Date,
): string {
  const { head, tail } = frameEvent({ ...event, at: event.createdAt, data: "null" });
  return `${head}${event.sequence}${tail.slice(0, -1)},"expunged_at":"${expungedAt.toISOString()}"}`;
}
