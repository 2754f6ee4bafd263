import { fromId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { sqlState } from "#db/database-errors.ts";
import { getEvents } from "#db/queries/events.ts";
import { readPublishing } from "#db/queries/publishing.ts";
import type { Ctx } from "../context.ts";
import { contentHash, isRecentId } from "../domain/event-content.ts";
import { pointer } from "../domain/json-pointer.ts";
import { AppError, validationError } from "../errors.ts";
import { takeTurns } from "../take-turns.ts";
import { type CheckData, dataChecks } from "./data-checks.ts";
import { type EventToStore, storeEvents } from "./store-events.ts";

/** An event as a client publishes it. */
export interface EventInput {
  /** Prefixed id made by the client. */
  id?: string | undefined;
  type: string;
  /** JSON text of an object, kept to the byte. */
  data: string;
  /** Where it lies in the request: nothing, or `["events", 3]`. */
  path: readonly PropertyKey[];
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
  const publish = () => ctx.transaction((tx) => publishWithin(tx, ctx, inputs, atomic), { sendsFirst: true });
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
  const first = await firstEvents(tx, ctx.tenantId, inputs);
  const types = new Set(inputs.flatMap((input) => (input instanceof AppError ? [] : [input.type])));
  const { subscribers, schemas } = await readPublishing(tx, ctx.tenantId, [...types]);
  const checkData = await dataChecks(tx, ctx.tenantId, schemas);
  const { plans, toStore } = await planEvents(inputs, { first, checkData, now: ctx.now() });
  const refusals = plans.filter((plan) => plan instanceof AppError);
  if (atomic && refusals.length > 0) throw validationError(refusals.flatMap((refusal) => refusal.issues));
  const stored =
    toStore.length > 0
      ? await storeEvents(tx, ctx, ctx.tenantId, toStore, { subscribers, isLast: true })
      : [];
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

/** What the plan of each event depends on. */
interface Planning {
  /** What there is already, by id; what is planned joins it. */
  first: Map<string, FirstEvent>;
  checkData: CheckData;
  now: Date;
}

async function planEvents(
  inputs: readonly (EventInput | AppError)[],
  planning: Planning,
): Promise<{ plans: Plan[]; toStore: EventToStore[] }> {
  const toStore: EventToStore[] = [];
  const plans: Plan[] = [];
  const turn = takeTurns();
  for (const input of inputs) {
    await turn();
    plans.push(input instanceof AppError ? input : planEvent(input, toStore, planning));
  }
  return { plans, toStore };
}

function planEvent(
  { id: prefixed, type, data, path }: EventInput,
  toStore: EventToStore[],
  { first, checkData, now }: Planning,
): Plan {
  const id = prefixed && fromId("event", prefixed);
  const refused = () => checkData(type, data, [...path, "data"]);
  if (!id) return refused() ?? { created: true, event: toStore.push({ type, data }) - 1 };
  if (!isRecentId(id, now))
    return validationError([
      { detail: "must carry a time within 24 h of now", pointer: pointer([...path, "id"]) },
    ]);
  const hash = contentHash(type, data);
  const earlier = first.get(id);
  // What was stored is not held to a schema that came later.
  if (earlier) return earlier.hash?.equals(hash) ? { created: false, event: earlier.event } : reused(path);
  const refusal = refused();
  if (refusal) return refusal;
  const event = toStore.push({ id, type, data, contentHash: hash }) - 1;
  first.set(id, { hash, event });
  return { created: true, event };
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

function reused(path: readonly PropertyKey[]): AppError {
  return new AppError("idempotency-key-reused", "There is an event with this id and other content.", {
    issues: [{ detail: "is the id of an event with other content", pointer: pointer([...path, "id"]) }],
  });
}
