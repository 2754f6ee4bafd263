import type { Tx } from "#db/client.ts";
import { letGroupBegin } from "#db/queries/circuit-breakers.ts";
import { type EndpointKey, forgetHealth } from "#db/queries/endpoint-health.ts";
import { QUEUES } from "../queue/queues.ts";

/** Forgets how an endpoint fared: nothing counts against it, its circuit breaker is closed, and what waited for that begins. */
export async function beginAnew(tx: Tx, key: EndpointKey): Promise<void> {
  if (await forgetHealth(tx, key)) await letGroupBegin(tx, QUEUES.deliverSlow.name, key.endpointId);
}
