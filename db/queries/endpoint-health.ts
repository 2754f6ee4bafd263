import type { Tx } from "../client.ts";
import { IS_PENDING } from "./delivering.ts";

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

/**
 * Cancels up to `limit` pending deliveries of an endpoint, in the order of their ids, after `after` and before `before`;
 * gives the last one, or `undefined` when there were none. A request that is under way goes on, and its result counts.
 */
export async function cancelPendingOfEndpoint(
  tx: Tx,
  of: { tenantId: string; endpointId: string; after: string; before: string; limit: number },
): Promise<string | undefined> {
  const [row] = await tx.query<{ last: string | null }>(
    `with queued as materialized (
       select id from deliveries
        where tenant_id = $1 and endpoint_id = $2 and status = 'pending' and id > $3 and id < $5
        order by id limit $4
     ), cancelled as (
       update deliveries d set status = 'cancelled', next_attempt_at = null
         from queued where d.tenant_id = $1 and d.id = queued.id and ${IS_PENDING}
     )
     select max(id::text) as last from queued`,
    [of.tenantId, of.endpointId, of.after, of.limit, of.before],
  );
  return row?.last ?? undefined;
}
