import type { Tx } from "#db/client.ts";
import { cancelPendingOfEndpoint, disableEndpointOf } from "#db/queries/endpoint-health.ts";

/**
 * Disables the endpoint of a delivery, because of what its receiver said, and cancels what is queued for it.
 * Nothing happens when it is disabled already.
 */
export async function disableEndpoint(
  tx: Tx,
  { tenantId, deliveryId, reason }: { tenantId: string; deliveryId: string; reason: string },
): Promise<void> {
  const endpointId = await disableEndpointOf(tx, tenantId, deliveryId, reason);
  if (endpointId) await cancelPendingOfEndpoint(tx, tenantId, endpointId);
}
