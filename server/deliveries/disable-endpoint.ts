import type { PgBoss } from "pg-boss";
import type { Tx } from "#db/client.ts";
import { disableEndpointOf } from "#db/queries/endpoint-health.ts";
import { within } from "../queue/boss.ts";
import { type EndpointJob, QUEUES } from "../queue/queues.ts";

/**
 * Disables the endpoint of a delivery, because of what its receiver said. What is queued for it is cancelled by a job:
 * there may be millions. Nothing happens when it is disabled already.
 */
export async function disableEndpoint(
  tx: Tx,
  boss: PgBoss,
  { tenantId, deliveryId, reason }: { tenantId: string; deliveryId: string; reason: string },
): Promise<void> {
  const endpointId = await disableEndpointOf(tx, tenantId, deliveryId, reason);
  if (!endpointId) return;
  const data = { tenantId, endpointId } satisfies EndpointJob;
  await boss.insert(QUEUES.cancelQueued.name, [{ data }], within(tx));
}
