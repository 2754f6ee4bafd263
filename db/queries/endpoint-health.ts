import type { Tx } from "../client.ts";

/** Disables the endpoint of a delivery; gives its id, or `undefined` when it was not enabled. */
export async function disableEndpointOf(
  tx: Tx,
  tenantId: string,
  deliveryId: string,
  reason: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(
    `update webhook_endpoints w
        set status = 'disabled', disabled_reason = $3, version = version + 1, updated_at = now()
       from deliveries d
      where d.tenant_id = $1 and d.id = $2 and w.tenant_id = d.tenant_id and w.id = d.endpoint_id
        and w.status <> 'disabled'
     returning w.id`,
    [tenantId, deliveryId, reason],
  );
  return row?.id;
}

/** Cancels every delivery that waits for an endpoint; those that a worker is sending right now go on. */
export async function cancelPendingOfEndpoint(tx: Tx, tenantId: string, endpointId: string): Promise<void> {
  await tx.query(
    `update deliveries d set status = 'cancelled', next_attempt_at = null
      where d.tenant_id = $1 and d.endpoint_id = $2 and d.status = 'pending'
        and not exists (select 1 from claims c where d.id = any (c.delivery_ids))`,
    [tenantId, endpointId],
  );
}
