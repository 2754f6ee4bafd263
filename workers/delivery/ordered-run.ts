import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import type { Tx } from "#db/client.ts";
import { giveUpProbes } from "#db/queries/circuit-breakers.ts";
import { deleteClaims, nameClaimed } from "#db/queries/claims.ts";
import { type LostDelivery, logLostTries, moveToJobs } from "#db/queries/delivering.ts";
import { releaseDeliveries } from "#db/queries/holding.ts";
import {
  findOrderedState,
  lockHandedOut,
  lockOrderedJob,
  lookAtOrdered,
  type OrderedEndpoint,
  orderedJob,
  type Queued,
  setOrderedJob,
  unqueueOrdered,
} from "#db/queries/ordered.ts";
import { nextRunSize } from "#server/domain/ordered-run.ts";
import { enqueueDeliveries, type NewDeliveryJob, within } from "#server/queue/boss.ts";
import { chunkFor } from "#server/queue/chunk-for.ts";
import { QUEUES } from "#server/queue/queues.ts";
import type { ClaimedJob } from "./claim-jobs.ts";
import { FAILED_AFTER, failSuspects } from "./suspects.ts";
import type { Chunk } from "./types.ts";

/** The part of an ordered endpoint's queue that one job sends, one delivery after the other. */
export interface Run extends OrderedEndpoint {
  /** Deliveries that it may have. */
  readonly size: number;
  /** A delivery of it has to be tried again, so that those behind it wait. */
  hasFailed: boolean;
  /** The endpoint is not to be sent to before this, in milliseconds of the epoch; 0: whenever it is due. */
  notBefore: number;
}

const LOOK_AT_LOST = 200;
const DISSOLVE_AT_ONCE = 500;
const LOOK_AGAIN_MS = 200;

/**
 * Takes what is next in the queue of an ordered endpoint for the job that was claimed, and gives its deliveries in their
 * order: none where another job has become that of the endpoint, where it is paused, where the head waits for a retry or
 * is still under way elsewhere, and where the endpoint is ordered no more, whose queue is dissolved.
 */
export async function formRun(
  tx: Tx,
  { boss, worker }: { boss: PgBoss; worker: number },
  { id, tenantId, retryCount, endpointId, size }: ClaimedJob & { endpointId: string; size: number },
): Promise<{ ids: string[]; lostTries: number }> {
  const endpoint = { tenantId, endpointId };
  const state = await findOrderedState(tx, endpoint);
  const isOurs = (await orderedJob(tx, endpoint)) === id;
  const limit = retryCount > 0 ? LOOK_AT_LOST : state?.ordered ? 2 * size + 20 : DISSOLVE_AT_ONCE;
  const { queued, ended } = await lookAtOrdered(tx, endpoint, limit);
  const lost = retryCount > 0 ? await logLost(tx, { worker, tenantId, jobId: id }, { queued, ended }) : [];
  const lostTries = lost.length;
  if (!isOurs || (state?.ordered && state.isPaused)) return { ids: [], lostTries };
  const [alone] = lost;
  if (alone && lostTries === 1 && alone.lostInRow >= FAILED_AFTER) {
    await failSuspects(tx, boss, lost);
    return { ids: [], lostTries };
  }
  const isBusy = (each: Queued) => each.isHeld && each.jobId !== id;
  if (state && !state.ordered) {
    await dissolve(
      tx,
      boss,
      endpoint,
      queued.filter((each) => !isBusy(each)),
    );
    return { ids: [], lostTries };
  }
  const end = queued.findIndex((each) => each.isEarly || isBusy(each));
  const next = (end === -1 ? queued : queued.slice(0, end)).slice(0, size);
  const moves = next.filter(({ jobId }) => jobId !== id);
  if (moves.length > 0)
    await moveToJobs(
      tx,
      moves.map((each) => ({ ...each, tenantId, toJobId: id })),
    );
  const ids = next.map((each) => each.id);
  await nameClaimed(tx, id, ids);
  return { ids, lostTries };
}

/**
 * A job that comes a second time was lost by its worker, and with it the tries that may have been under way. All but the
 * first follow it no longer: should the next worker vanish too, they were not in its hands.
 */
async function logLost(
  tx: Tx,
  { worker, tenantId, jobId }: { worker: number; tenantId: string; jobId: string },
  { queued, ended }: { queued: readonly Queued[]; ended: readonly Queued[] },
): Promise<LostDelivery[]> {
  const mine = [...queued, ...ended].filter((each) => each.jobId === jobId);
  const ids = mine.map((each) => each.id);
  const named = { tenantIds: ids.map(() => tenantId), ids, jobIds: ids.map(() => jobId) };
  const lost = await logLostTries(tx, { ...named, attemptIds: ids.map(() => uuidv7()), worker });
  await giveUpProbes(tx, lost);
  // No job has a delivery's own id.
  const others = lost.filter(({ id }) => id !== ids[0]);
  if (others.length > 0)
    await moveToJobs(
      tx,
      others.map((each) => ({ ...each, toJobId: each.id })),
    );
  return lost;
}

/** Gives jobs like those of any other endpoint to what was queued. */
async function dissolve(
  tx: Tx,
  boss: PgBoss,
  endpoint: OrderedEndpoint,
  queued: readonly Queued[],
): Promise<void> {
  const { tenantId } = endpoint;
  const jobs: NewDeliveryJob[] = [];
  const held = queued.filter(({ nextAttemptAt }) => nextAttemptAt === null);
  const released = held.map(({ id }) => ({ id, jobId: chunkFor(jobs, tenantId, id) }));
  const tried = queued.flatMap((each) =>
    each.nextAttemptAt ? [{ ...each, tenantId, toJobId: uuidv7(), startAfter: each.nextAttemptAt }] : [],
  );
  const retries = tried.map(({ id, toJobId, startAfter }) => ({
    ...{ id: toJobId, tenantId, startAfter },
    deliveryIds: [id],
  }));
  await enqueueDeliveries(boss, tx, QUEUES.deliverReplay.name, jobs);
  await enqueueDeliveries(boss, tx, QUEUES.deliverRetry.name, retries);
  await releaseDeliveries(tx, tenantId, released);
  await moveToJobs(tx, tried);
  await unqueueOrdered(
    tx,
    endpoint,
    queued.map(({ sequence }) => sequence),
  );
}

/**
 * Ends a run whose results are written: its job is done, and the endpoint gets its next one, for when its head may be sent,
 * or none when its queue is empty. Gives when that is; `undefined` when there is nothing to wait for.
 */
export async function endRun(
  tx: Tx,
  boss: PgBoss,
  { id, retryCount, claimedAt }: Chunk,
  run: Run,
): Promise<Date | undefined> {
  const current = await lockOrderedJob(tx, run);
  const queue = QUEUES.deliverOrdered.name;
  // It was handed out again, and is somebody else's.
  if (!(await lockHandedOut(tx, { queue, id, retryCount }))) return undefined;
  await boss.deleteJob(queue, id, within(tx));
  await deleteClaims(tx, [id]);
  // Another one has become the job of the endpoint.
  if (current !== id) return undefined;
  const state = await findOrderedState(tx, run);
  if (state?.ordered && state.isPaused) return undefined;
  const { queued, isMore } = await lookAtOrdered(tx, run, run.size + 20);
  const [head] = queued;
  if (!head && !isMore) {
    await setOrderedJob(tx, run, null);
    return undefined;
  }
  const at = new Date(Math.max(run.notBefore, head ? readyAt(head, state?.ordered ?? true) : 0));
  const next = uuidv7();
  await setOrderedJob(tx, run, next);
  const { tenantId, endpointId } = run;
  const size = nextRunSize({ ...run, tookMs: performance.now() - claimedAt });
  await enqueueDeliveries(boss, tx, queue, [
    {
      ...{ id: next, tenantId, deliveryIds: [], ordered: { endpointId, size } },
      ...(at.getTime() > Date.now() ? { startAfter: at } : {}),
    },
  ]);
  return at;
}

function readyAt(head: Queued, isOrdered: boolean): number {
  if (head.isHeld) return Date.now() + LOOK_AGAIN_MS;
  return isOrdered && head.isEarly && head.nextAttemptAt ? head.nextAttemptAt.getTime() : 0;
}
