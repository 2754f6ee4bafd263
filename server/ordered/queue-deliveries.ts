import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import type { Tx } from "#db/client.ts";
import { ensureOrderedJobs, type QueuedDelivery, queueOrdered } from "#db/queries/ordered.ts";
import { enqueueDeliveries } from "../queue/boss.ts";
import { QUEUES } from "../queue/queues.ts";

/** Deliveries that the first job of an endpoint sends one after the other; later ones follow the endpoint's pace. */
const FIRST_RUN = 10;

/**
 * Puts held deliveries into the queues of their ordered endpoints, each by the sequence of its event, and sees to it that
 * somebody looks at these. Holds the endpoints' rows until the end of `tx`, so it comes last, or just after the events.
 */
export async function queueDeliveries(
  tx: Tx,
  boss: PgBoss,
  tenantId: string,
  deliveries: readonly QueuedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await queueOrdered(tx, tenantId, deliveries);
  const endpointIds = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
  const proposals = endpointIds.map((endpointId) => ({ endpointId, jobId: uuidv7() }));
  const isNew = await ensureOrderedJobs(tx, tenantId, proposals);
  const jobs = proposals
    .filter(({ endpointId }) => isNew.has(endpointId))
    .map(({ endpointId, jobId }) => ({
      id: jobId,
      tenantId,
      deliveryIds: [],
      ordered: { endpointId, size: FIRST_RUN },
    }));
  await enqueueDeliveries(boss, tx, QUEUES.deliverOrdered.name, jobs);
}
