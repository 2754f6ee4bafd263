import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import type { Trigger } from "#contracts/deliveries.ts";
import { uuidTimeMs } from "#contracts/ids.ts";
import type { ReplaySelection } from "#contracts/replays.ts";
import type { Tx } from "#db/client.ts";
import { insertDeliveries } from "#db/queries/deliveries.ts";
import { insertReplayItems } from "#db/queries/replay-items.ts";
import { lockMissing, lookAtDeliveries, reopenDeliveries } from "#db/queries/replay-selection.ts";
import type { ReplayPhase, ReplayRow, ReplayTarget } from "#db/queries/replays.ts";
import { deliveryRange, eventRange } from "#server/domain/replays.ts";
import { enqueueDeliveries, type NewDeliveryJob } from "#server/queue/boss.ts";
import { chunkFor } from "#server/queue/chunk-for.ts";
import { QUEUES } from "#server/queue/queues.ts";
import { lookForMissing } from "#server/replays/missing-events.ts";

/** What a part of a replay did, and where the next one goes on. */
export interface Part {
  /** Deliveries that were put back. */
  count: number;
  phase: ReplayPhase;
  position: string | null;
}

interface PartOf {
  tenantId: string;
  replay: ReplayRow;
  target: ReplayTarget;
  /** How many deliveries may be put back at most. */
  room: number;
}

const LOOK_AT_ONCE = 1_000;

/** Goes through a part of what a replay is of, and puts back what it finds. */
export function putBack(tx: Tx, boss: PgBoss, of: PartOf): Promise<Part> {
  return of.replay.phase === "events" ? makeMissing(tx, boss, of) : sendAgain(tx, boss, of);
}

async function sendAgain(tx: Tx, boss: PgBoss, { tenantId, replay, room }: PartOf): Promise<Part> {
  const selection = replay.selection as ReplaySelection;
  const range = deliveryRange(selection, replay.createdAt);
  const query = { tenantId, endpointId: replay.endpointId, ...range };
  const looked = await lookAtDeliveries(
    tx,
    { ...query, afterId: replay.position ?? range.afterId },
    LOOK_AT_ONCE,
  );
  const { taken, position, isAll } = upTo(room, looked, ({ selected }) => selected);
  const jobs: NewDeliveryJob[] = [];
  const moves = taken.map(({ id }) => ({ id, jobId: chunkFor(jobs, tenantId, id) }));
  const trigger: Trigger = replay.kind === "recovery" ? "recovery" : "replay";
  const reopened = await reopenDeliveries(tx, { tenantId, statuses: range.statuses, trigger }, moves);
  await noteAndEnqueue(tx, boss, { tenantId, replay, jobs, ids: [...reopened] });
  const isEnd = isAll && looked.length < LOOK_AT_ONCE;
  const after: ReplayPhase = eventRange(selection, replay.createdAt) ? "events" : "done";
  return isEnd
    ? { count: reopened.size, phase: after, position: null }
    : { count: reopened.size, phase: "deliveries", position };
}

async function makeMissing(tx: Tx, boss: PgBoss, { tenantId, replay, target, room }: PartOf): Promise<Part> {
  const range = eventRange(replay.selection as ReplaySelection, replay.createdAt);
  if (!range) return { count: 0, phase: "done", position: null };
  await lockMissing(tx, tenantId, target.id);
  const after = replay.position ?? range.afterId;
  const { missing, last } = await lookForMissing(tx, { tenantId, target, range, after });
  const made = missing.slice(0, room);
  const jobs: NewDeliveryJob[] = [];
  const rows = made.map((event) => {
    const id = uuidv7();
    const at = { jobId: chunkFor(jobs, tenantId, id), createdAt: new Date(uuidTimeMs(id)) };
    return { ...at, id, eventId: event.id, eventType: event.type, endpointId: target.id };
  });
  await insertDeliveries(tx, tenantId, rows, "recovery");
  await noteAndEnqueue(tx, boss, { tenantId, replay, jobs, ids: rows.map(({ id }) => id) });
  const position = made.length < missing.length ? (made.at(-1)?.id ?? after) : last;
  return position === undefined
    ? { count: made.length, phase: "done", position: null }
    : { count: made.length, phase: "events", position };
}

/** The first items of which at most `room` are wanted, and the id of the last one. */
function upTo<T extends { id: string }>(room: number, items: readonly T[], isWanted: (item: T) => boolean) {
  const taken: T[] = [];
  let position: string | null = null;
  for (const item of items) {
    if (isWanted(item)) {
      if (taken.length === room) return { taken, position, isAll: false };
      taken.push(item);
    }
    position = item.id;
  }
  return { taken, position, isAll: true };
}

/** Jobs for those of their deliveries that were put back, and a note of each of them. */
async function noteAndEnqueue(
  tx: Tx,
  boss: PgBoss,
  of: { tenantId: string; replay: ReplayRow; jobs: readonly NewDeliveryJob[]; ids: readonly string[] },
): Promise<void> {
  if (of.ids.length === 0) return;
  const isBack = new Set(of.ids);
  const jobs = of.jobs
    .map((job) => ({ ...job, deliveryIds: job.deliveryIds.filter((id) => isBack.has(id)) }))
    .filter(({ deliveryIds }) => deliveryIds.length > 0);
  await insertReplayItems(tx, { tenantId: of.tenantId, replayId: of.replay.id }, of.ids);
  await enqueueDeliveries(boss, tx, QUEUES.deliverReplay.name, jobs);
}
