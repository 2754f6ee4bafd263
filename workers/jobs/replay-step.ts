import type { PgBoss } from "pg-boss";
import type { ReplayStatus } from "#contracts/replays.ts";
import type { Tx } from "#db/client.ts";
import { countWaiting, takeEndedItems, type Waiting } from "#db/queries/replay-items.ts";
import { findReplayTarget, lockReplay, type ReplayRow, saveProgress } from "#db/queries/replays.ts";
import { isEnded } from "#server/domain/replays.ts";
import type { ReplayJob } from "#server/queue/queues.ts";
import { putBack } from "./put-back.ts";

/** Deliveries of one replay that were put back and not tried yet, at most: how far it is ahead of the workers. */
const MAX_UNTRIED = 500;
const STEP_MS = 200;
const PAUSED_MS = 1_000;

export interface StepDeps {
  boss: PgBoss;
  now(): Date;
  wakeWorkers(): void;
}

/** What a step did, and when the next one is to be made. */
interface Advance {
  replay: ReplayRow;
  waiting: Waiting;
  nextInMs: number;
}

/**
 * One step of a replay, as part of `tx`: counts what has ended of that which was put back, then puts back as much as the
 * workers have room for. Gives when the next step is to be made; `undefined` when nothing more can happen.
 */
export async function stepReplay(tx: Tx, deps: StepDeps, job: ReplayJob): Promise<Date | undefined> {
  const { tenantId, replayId } = job;
  const found = await lockReplay(tx, tenantId, replayId);
  if (!found) return undefined;
  const { ended, succeeded } = await takeEndedItems(tx, { ...job, limit: 2 * MAX_UNTRIED });
  const counted: ReplayRow = {
    ...found,
    done: found.done + ended,
    succeeded: found.succeeded + succeeded,
    failed: found.failed + ended - succeeded,
  };
  const waiting = await countWaiting(tx, job);
  const advance = isEnded(counted.status as ReplayStatus)
    ? { replay: counted, waiting, nextInMs: STEP_MS }
    : await advanceReplay(tx, deps, { tenantId, replay: counted, waiting });
  await saveProgress(tx, tenantId, advance.replay);
  return nextStep(advance);
}

/** Puts back what there is room for, and completes the replay when nothing is left of it. */
async function advanceReplay(
  tx: Tx,
  { boss, now, wakeWorkers }: StepDeps,
  { tenantId, replay, waiting }: { tenantId: string; replay: ReplayRow; waiting: Waiting },
): Promise<Advance> {
  const target = await findReplayTarget(tx, tenantId, replay.endpointId);
  const running = { ...replay, status: "running", startedAt: replay.startedAt ?? now() };
  // What is queued for it is cancelled; the rest stays as it is.
  if (!target || target.isDeleted || target.status === "disabled")
    return { replay: { ...running, status: "cancelled", completedAt: now() }, waiting, nextInMs: STEP_MS };
  if (target.status === "paused") return { replay: running, waiting, nextInMs: PAUSED_MS };

  const room = MAX_UNTRIED - waiting.untried;
  const part =
    replay.phase === "done" || room <= 0
      ? { count: 0, phase: replay.phase, position: replay.position }
      : await putBack(tx, boss, { tenantId, replay: running, target, room });
  if (part.count > 0) tx.afterCommit(wakeWorkers);
  const { count, phase, position } = part;
  const putBackNow = replay.putBack + count;
  const isDone = phase === "done";
  const untried = waiting.untried + count;
  const isComplete = isDone && untried === 0 && waiting.nextCheck === null;
  return {
    replay: {
      ...running,
      phase,
      position,
      putBack: putBackNow,
      total: isDone ? putBackNow : Math.max(replay.total, putBackNow),
      ...(isComplete ? { status: "completed", completedAt: now() } : {}),
    },
    waiting: { ...waiting, untried },
    // Looked at much and found little: on at once.
    nextInMs: !isDone && untried < MAX_UNTRIED ? 0 : STEP_MS,
  };
}

function nextStep({ replay, waiting, nextInMs }: Advance): Date | undefined {
  const now = waiting.at;
  const isMoving =
    waiting.untried > 0 || !(isEnded(replay.status as ReplayStatus) || replay.phase === "done");
  if (isMoving) return new Date(now.getTime() + nextInMs);
  if (waiting.nextCheck === null) return undefined;
  return new Date(Math.max(waiting.nextCheck.getTime(), now.getTime() + STEP_MS));
}
