import { newId } from "../new-id.ts";
import type { NewDeliveryJob } from "./boss.ts";
import { MAX_CHUNK } from "./queues.ts";

/** Adds a delivery to the last chunk, or to a new one when that is full; gives the id of its job. */
export function chunkFor(jobs: NewDeliveryJob[], tenantId: string, deliveryId: string): string {
  let job = jobs.at(-1);
  if (!job || job.deliveryIds.length >= MAX_CHUNK) {
    job = { id: newId(), tenantId, deliveryIds: [] };
    jobs.push(job);
  }
  job.deliveryIds.push(deliveryId);
  return job.id;
}
