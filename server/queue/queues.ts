import type { PgBoss, Queue } from "pg-boss";

/** What a delivery job carries: ids only, at most `MAX_CHUNK` of one tenant. What is sent is read when it is sent. */
export interface DeliveryJob {
  tenantId: string;
  deliveryIds: string[];
}

export const MAX_CHUNK = 50;

/**
 * Of every delivery queue: a job that is handed out again was lost by its worker, and nothing else ever fails it.
 * Its expiry is the backstop behind the advisory locks, so it exceeds any request's deadline and the wait before it.
 */
const DELIVERY: Omit<Queue, "name"> = {
  policy: "standard",
  retryLimit: 1000,
  retryDelay: 0,
  expireInSeconds: 120,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 60,
};

/** Every queue there is, and in which order a worker empties those of deliveries: fresh work before retries. */
export const QUEUES = {
  deliver: { name: "deliver", ...DELIVERY },
  deliverRetry: { name: "deliver-retry", ...DELIVERY },
  deliverReplay: { name: "deliver-replay", ...DELIVERY },
  deliverSlow: { name: "deliver-slow", ...DELIVERY },
} satisfies Record<string, Queue & { name: string }>;

export type DeliveryQueue = (typeof QUEUES)[keyof typeof QUEUES]["name"];

/** A send to a queue that does not exist throws, so all of them are made before anything runs. */
export async function createQueues(boss: PgBoss): Promise<void> {
  const present = new Set((await boss.getQueues()).map((queue) => queue.name));
  for (const { name, policy, ...options } of Object.values(QUEUES)) {
    if (present.has(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, { policy, ...options });
  }
}
