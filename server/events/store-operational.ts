import type { OperationalEvent } from "#contracts/operational-events.ts";
import type { Tx } from "#db/client.ts";
import { type EmitDeps, emitEvents } from "./emit-events.ts";

/**
 * Stores events about Posthorn itself as part of the transaction that makes them true: they are in the feed, and go to the
 * endpoints that ask for them, like any other. Must be the last thing `tx` does, but for the same of tenants with a larger
 * id: whoever holds the counters of several tenants has taken them in that order.
 */
export async function storeOperational(
  tx: Tx,
  deps: EmitDeps,
  tenantId: string,
  events: readonly OperationalEvent[],
): Promise<void> {
  const toStore = events.map(({ type, data }) => ({ type, data: JSON.stringify(data) }));
  await emitEvents(tx, deps, tenantId, toStore);
}
