import type { Tx } from "#db/client.ts";
import { type PublishTracing, recordPublished } from "./record-published.ts";
import { type EventToStore, type PublishDeps, type StoredEvent, storeEvents } from "./store-events.ts";

/** What telling of a change needs; a context has all of it. */
export type EmitDeps = PublishDeps & PublishTracing;

/**
 * Stores the events of a change that Posthorn itself makes, as `storeEvents` does, and begins their traces once they are
 * committed. What clients publish is told of by call, in `tellPublished`.
 */
export async function emitEvents(
  tx: Tx,
  deps: EmitDeps,
  tenantId: string,
  events: readonly EventToStore[],
): Promise<StoredEvent[]> {
  const beganAt = performance.now();
  const stored = await storeEvents(tx, deps, tenantId, events);
  if (deps.tracer?.isEnabled)
    tx.afterCommit(() => {
      const durationMs = performance.now() - beganAt;
      for (const { id } of stored) recordPublished(deps, tenantId, { eventId: id, durationMs });
    });
  return stored;
}
