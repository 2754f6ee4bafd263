import type { Db } from "#db/client.ts";
import { openQueue } from "./boss.ts";
import { QUEUES } from "./queues.ts";

/** What keeps the queue from being used: its tables are missing or old, or a queue is not there. `undefined` when it can be. */
export async function queueProblem(db: Db): Promise<string | undefined> {
  const boss = openQueue(db, { supervise: false, onError: () => {} });
  try {
    await boss.start();
    const present = new Set((await boss.getQueues()).map((queue) => queue.name));
    const missing = Object.values(QUEUES).filter(({ name }) => !present.has(name));
    return missing.length > 0 ? `missing: ${missing.map(({ name }) => name).join(", ")}` : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await boss.stop({ graceful: false });
  }
}
