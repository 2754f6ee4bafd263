import { type Db, withSavepoint, withTransaction } from "#db/client.ts";
import { isPassing } from "#db/database-errors.ts";
import type { Logger } from "#server/log/logger.ts";
import { within } from "#server/queue/boss.ts";
import { QUEUES, type ReplayJob } from "#server/queue/queues.ts";
import { enqueueStep } from "#server/replays/enqueue-step.ts";
import { type StepDeps, stepReplay } from "./replay-step.ts";

const AGAIN_AFTER_ERROR_MS = 30_000;
const { name } = QUEUES.replays;

/**
 * Makes the next step of one replay that is due for one; gives whether there was any. The job is taken, its step is made
 * and the job of the next step is stored in one transaction: whoever dies on the way has done nothing, and the job is
 * there for others at once.
 */
export function stepReplays(deps: StepDeps & { db: Db; log: Logger }): Promise<boolean> {
  const { db, boss, log, now } = deps;
  return withTransaction(db, async (tx) => {
    const [job] = await boss.fetch<ReplayJob>(name, within(tx));
    if (!job) return false;
    const { data } = job;
    const next = await withSavepoint(tx, (inner) => stepReplay(inner, deps, data)).catch((err: unknown) => {
      if (isPassing(err)) throw err;
      // One replay that cannot go on must not keep the others from it.
      log.error({ err, replay: data.replayId }, "a step of a replay failed");
      return new Date(now().getTime() + AGAIN_AFTER_ERROR_MS);
    });
    await boss.deleteJob(name, job.id, within(tx));
    if (next) await enqueueStep(boss, tx, data, next);
    return true;
  });
}
