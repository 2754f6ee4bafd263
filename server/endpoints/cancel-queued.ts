import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import type { Tx } from "#db/client.ts";
import { within } from "../queue/boss.ts";
import { type CancelQueuedJob, QUEUES } from "../queue/queues.ts";

/**
 * Has what is queued for an endpoint cancelled, by a job: there may be millions. What is made after this moment is left
 * alone, so that an endpoint that is enabled again at once keeps what comes then.
 */
export async function cancelQueued(
  tx: Tx,
  boss: PgBoss,
  endpoint: { tenantId: string; endpointId: string },
): Promise<void> {
  const data: CancelQueuedJob = { ...endpoint, before: uuidv7() };
  await boss.insert(QUEUES.cancelQueued.name, [{ data }], within(tx));
}
