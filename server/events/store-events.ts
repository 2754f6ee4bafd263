import type { PgBoss } from "pg-boss";
import { uuidTimeMs } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { insertDeliveries, type NewDeliveryRow } from "#db/queries/deliveries.ts";
import { listSubscribers, type SubscriberRow } from "#db/queries/endpoints.ts";
import { insertEvents } from "#db/queries/events.ts";
import { eventBody, frameEvent } from "../domain/event-body.ts";
import { newId } from "../new-id.ts";
import { queueDeliveries } from "../ordered/queue-deliveries.ts";
import { enqueuing, type NewDeliveryJob } from "../queue/boss.ts";
import { chunkFor } from "../queue/chunk-for.ts";
import { QUEUES } from "../queue/queues.ts";
import { FRESH_ONLY, type WakeWorkers } from "../queue/wake-workers.ts";
import { takeTurns } from "../take-turns.ts";
import { recipients } from "./fan-out.ts";

export interface EventToStore {
  /** A plain UUIDv7; made here when absent. */
  id?: string;
  type: string;
  /** JSON text of an object, kept to the byte. */
  data: string;
  contentHash?: Buffer;
  /** A test: this endpoint gets it, whatever it subscribes to, by a delivery of this id, and nobody else does. */
  onlyTo?: { endpointId: string; deliveryId: string };
}

export interface StoredEvent {
  id: string;
  sequence: string;
  body: string;
}

export interface PublishDeps {
  boss: PgBoss;
  now(): Date;
  wakeWorkers: WakeWorkers;
}

export interface StoreOptions {
  /** What `tx` has read already. */
  subscribers?: readonly SubscriberRow[];
  /** Nothing of `tx` comes after it, so that it may be committed at once. */
  isLast?: boolean;
}

/**
 * Stores events with their deliveries and jobs as part of `tx`, in the order given: all of it exists once `tx` commits,
 * or nothing. Should be the last thing `tx` does (see `insertEvents`). Throws 23505 when a given id is already taken.
 */
export async function storeEvents(
  tx: Tx,
  deps: PublishDeps,
  tenantId: string,
  events: readonly EventToStore[],
  options: StoreOptions = {},
): Promise<StoredEvent[]> {
  const at = deps.now();
  const rows = events.map((event) => {
    const id = event.id ?? newId();
    const frame = frameEvent({ id, type: event.type, at, data: event.data });
    return {
      ...frame,
      id,
      type: event.type,
      data: event.data,
      contentHash: event.contentHash ?? null,
      onlyTo: event.onlyTo,
    };
  });

  const subscribers = options.subscribers ?? (await listSubscribers(tx, tenantId));
  const deliveries: NewDeliveryRow[] = [];
  const tests: NewDeliveryRow[] = [];
  const ordered: (NewDeliveryRow & { index: number })[] = [];
  const jobs: NewDeliveryJob[] = [];
  const turn = takeTurns();
  for (const [index, event] of rows.entries()) {
    await turn();
    const { onlyTo } = event;
    for (const endpoint of onlyTo
      ? [{ id: onlyTo.endpointId, ordered: false }]
      : recipients(subscribers, event)) {
      const id = onlyTo?.deliveryId ?? newId();
      const row = { id, eventId: event.id, eventType: event.type, endpointId: endpoint.id };
      const createdAt = new Date(uuidTimeMs(id));
      // No job has its own id: it is looked at when its turn comes.
      if (endpoint.ordered) ordered.push({ ...row, jobId: id, createdAt, index });
      else (onlyTo ? tests : deliveries).push({ ...row, jobId: chunkFor(jobs, tenantId, id), createdAt });
    }
  }
  const enqueue = await enqueuing(deps.boss, QUEUES.deliver.name, jobs);
  if (ordered.length > 0) deps.wakeWorkers(undefined, tx);
  else if (jobs.length > 0) deps.wakeWorkers(FRESH_ONLY, tx);

  const toInsert = rows.map(({ onlyTo, ...row }) => ({ ...row, onlyTo: onlyTo?.endpointId ?? null }));
  const send = async () => {
    const before = [
      insertDeliveries(tx, tenantId, deliveries),
      insertDeliveries(tx, tenantId, tests, "test"),
      insertDeliveries(tx, tenantId, ordered, "schedule", true),
      enqueue(tx),
    ];
    const [sequence] = await Promise.all([insertEvents(tx, tenantId, { at, events: toInsert }), ...before]);
    return sequence;
  };
  const first = await (options.isLast && ordered.length === 0 ? tx.sendLast(send) : send());
  const queued = ordered.map(({ id, endpointId, index }) => ({
    endpointId,
    sequence: String(first + BigInt(index)),
    deliveryId: id,
  }));
  await queueDeliveries(tx, deps.boss, tenantId, queued);
  return rows.map((row, index) => {
    const sequence = String(first + BigInt(index));
    return { id: row.id, sequence, body: eventBody(row, sequence) };
  });
}
