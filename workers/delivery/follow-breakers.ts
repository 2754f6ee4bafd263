import type { Db } from "#db/client.ts";
import { letGroupBegin } from "#db/queries/circuit-breakers.ts";
import { QUEUES } from "#server/queue/queues.ts";
import type { Breakers } from "./breakers.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { RunEnd } from "./poller.ts";

/** How often a worker looks for breakers that others have opened or closed. */
export const FOLLOW_MS = 1_000;

/**
 * Follows what other workers make of breakers: what waits here for one that has opened is put off, and what this worker has
 * put off for one that is closed by now may begin; of that the slow queue's poller is told.
 */
export async function followBreakers(
  { db, breakers, onBegun }: { db: Db; breakers: Breakers; onBegun(): void },
  dispatcher: Pick<Dispatcher, "shut">,
): Promise<RunEnd> {
  for (const endpointId of await breakers.refresh()) dispatcher.shut(endpointId);
  const reopened = breakers.reopened();
  for (const endpointId of reopened) await letGroupBegin(db, QUEUES.deliverSlow.name, endpointId);
  if (reopened.length > 0) onBegun();
  return "idle";
}
