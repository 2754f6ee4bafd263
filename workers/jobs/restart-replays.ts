import type { PgBoss } from "pg-boss";
import { type Db, withTransaction } from "#db/client.ts";
import { listStrayReplays } from "#db/queries/replays.ts";
import { QUEUES } from "#server/queue/queues.ts";
import { enqueueStep } from "#server/replays/enqueue-step.ts";

/** Gives a job to every replay that has not ended and has none, such as a queue that was emptied leaves; gives how many. */
export async function restartReplays({ db, boss }: { db: Db; boss: PgBoss }): Promise<number> {
  const strays = await listStrayReplays(db, QUEUES.replays.name);
  await withTransaction(db, async (tx) => {
    for (const stray of strays) await enqueueStep(boss, tx, stray);
  });
  return strays.length;
}
