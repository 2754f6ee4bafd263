import { type DeliveryQueue, QUEUES } from "#server/queue/queues.ts";
import { MAX_SLOW_IN_FLIGHT } from "./delivery-lanes.ts";

/**
 * Deliveries of each queue that are held at most, waiting or in flight: fetched ahead of need. The shares put fresh
 * work before retries and retries before replays, and leave each of them some way through.
 */
export const MAX_HELD: Readonly<Record<DeliveryQueue, number>> = {
  [QUEUES.deliver.name]: 1_000,
  [QUEUES.deliverRetry.name]: 150,
  [QUEUES.deliverReplay.name]: 50,
  [QUEUES.deliverSlow.name]: 2 * MAX_SLOW_IN_FLIGHT,
  [QUEUES.deliverOrdered.name]: 500,
  [QUEUES.deliverSuspect.name]: 1,
};

/** Of the bodies of each queue's deliveries. */
export const MAX_BYTES_HELD = 32 * 1024 * 1024;

/** How often each queue is looked into when nobody says that there is something in it. */
export const POLL_MS: Readonly<Record<DeliveryQueue, number>> = {
  [QUEUES.deliver.name]: 1_000,
  [QUEUES.deliverRetry.name]: 1_000,
  [QUEUES.deliverReplay.name]: 1_000,
  [QUEUES.deliverSlow.name]: 250,
  [QUEUES.deliverOrdered.name]: 1_000,
  [QUEUES.deliverSuspect.name]: 1_000,
};
