import { fromId } from "#contracts/ids.ts";
import { sqlState, type Tx } from "#db/client.ts";
import { getEvents } from "#db/queries/events.ts";
import type { Ctx } from "../context.ts";
import { contentHash, isRecentId } from "../domain/event-content.ts";
import { AppError, validationError } from "../errors.ts";
import { type EventToStore, storeEvents } from "./store-events.ts";

/** An event as a client publishes it. */
export interface EventInput {
  /** Prefixed id made by the client. */
  id?: string | undefined;
  type: string;
  /** JSON text of an object, kept to the byte. */
  data: string;
  /** Where it lies in the request: `#`, or `#/events/3`. */
  pointer: string;
}

/** What publishing needs of a context. */
export type PublishContext = Pick<Ctx, "tenantId" | "transaction" | "boss" | "now" | "wakeWorkers">;

/** An event that is stored: now (`created`), or before under the same id with the same content. */
export interface Published {
  created: boolean;
  /** Plain UUID. */
  id: string;
  body: string;
}

/**
 * Stores events with their deliveries, all in one transaction and in the order given, and tells what came of each; what
 * was refused before stays so. With `atomic` one refusal refuses all: 422 with the pointers of every defect.
 */
export async function publishEvents(
  ctx: PublishContext,
  inputs: readonly (EventInput | AppError)[],
  { atomic }: { atomic: boolean },
): Promise<(Published | AppError)[]> {
  const publish = () => ctx.transaction((tx) => publishWithin(tx, ctx, inputs, atomic));
  try {
    return await publish();
  } catch (error) {
    // Somebody stored one of the ids after we had looked for it, and has committed: now it is found.
    if (sqlState(error) !== "23505") throw error;
    return publish();
  }
}

async function publishWithin(
  tx: Tx,
  ctx: PublishContext,
  inputs: readonly (EventInput | AppError)[],
  atomic: boolean,
): Promise<(Published | AppError)[]> {
  const { plans, toStore } = planEvents(inputs, await firstEvents(tx, ctx.tenantId, inputs), ctx.now());
  const refusals = plans.filter((plan) => plan instanceof AppError);
  if (atomic && refusals.length > 0) throw validationError(refusals.flatMap((refusal) => refusal.issues));
  const stored = toStore.length > 0 ? await storeEvents(tx, ctx, ctx.tenantId, toStore) : [];
  return plans.map((plan) => {
    if (plan instanceof AppError) return plan;
    const event = typeof plan.event === "number" ? stored[plan.event] : plan.event;
    if (!event) throw new Error("an event was not stored");
    return { created: plan.created, id: event.id, body: event.body };
  });
}

/** The first event of a client-made id: one that is stored, or the place among those to store. */
interface FirstEvent {
  hash: Buffer | null;
  event: { id: string; body: string } | number;
}

type Plan = AppError | { created: boolean; event: FirstEvent["event"] };

function planEvents(
  inputs: readonly (EventInput | AppError)[],
  first: Map<string, FirstEvent>,
  now: Date,
): { plans: Plan[]; toStore: EventToStore[] } {
  const toStore: EventToStore[] = [];
  const plans = inputs.map((input): Plan => {
    if (input instanceof AppError) return input;
    const { type, data, pointer } = input;
    const id = input.id && fromId("event", input.id);
    if (!id) return { created: true, event: toStore.push({ type, data }) - 1 };
    if (!isRecentId(id, now))
      return validationError([{ detail: "must carry a time within 24 h of now", pointer: `${pointer}/id` }]);
    const hash = contentHash(type, data);
    const earlier = first.get(id);
    if (earlier)
      return earlier.hash?.equals(hash) ? { created: false, event: earlier.event } : reused(pointer);
    const event = toStore.push({ id, type, data, contentHash: hash }) - 1;
    first.set(id, { hash, event });
    return { created: true, event };
  });
  return { plans, toStore };
}

async function firstEvents(
  tx: Tx,
  tenantId: string,
  inputs: readonly (EventInput | AppError)[],
): Promise<Map<string, FirstEvent>> {
  const ids = inputs.flatMap((input) =>
    input instanceof AppError || !input.id ? [] : (fromId("event", input.id) ?? []),
  );
  if (ids.length === 0) return new Map();
  const rows = await getEvents(tx, tenantId, ids);
  return new Map(rows.map((row) => [row.id, { hash: row.contentHash, event: row }]));
}

function reused(pointer: string): AppError {
  return new AppError("idempotency-key-reused", "There is an event with this id and other content.", {
    issues: [{ detail: "is the id of an event with other content", pointer: `${pointer}/id` }],
  });
}
