import type { PgBoss } from "pg-boss";
import type { Tx } from "#db/client.ts";
import { disableEndpointOf } from "#db/queries/endpoint-health.ts";
import { cancelQueued } from "../endpoints/cancel-queued.ts";
import { announceEndpoint } from "../runtime/wake.ts";

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
  await announceEndpoint(tx, endpointId);
  await cancelQueued(tx, boss, { tenantId, endpointId });
}
