import type { PgBoss } from "pg-boss";
import type { Tx } from "#db/client.ts";
import { within } from "../queue/boss.ts";
import { QUEUES, type ReplayJob } from "../queue/queues.ts";

/**
 * Has the next step of a replay made, at once unless it is to be later. The job has the id of its replay, so that there is
 * never a second one.
 */
export async function enqueueStep(boss: PgBoss, tx: Tx, data: ReplayJob, startAfter?: Date): Promise<void> {
  const job = { id: data.replayId, data, ...(startAfter ? { startAfter } : {}) };
  await boss.insert(QUEUES.replays.name, [job], within(tx));
}
