import type { PgBoss, Queue } from "pg-boss";

/** What a delivery job carries: ids only, at most `MAX_CHUNK` of one tenant. What is sent is read when it is sent. */
export interface DeliveryJob {
  tenantId: string;
  deliveryIds: string[];
  /** In place of the ids: what is next in the queue of an ordered endpoint, `size` deliveries at most. */
  ordered?: { endpointId: string; size: number };
  /** A person has asked for these, and wants to know what comes of it now. */
  isAsked?: true;
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

/**
 * The queues of deliveries: fresh work, tries at a set time, what somebody sends again, what waits for slow endpoints,
 * ordered endpoints with something to send, one job each, and what may have taken its workers with it, each in a job of its own.
 */
const DELIVERY_QUEUES = {
  deliver: { name: "deliver", ...DELIVERY },
  deliverRetry: { name: "deliver-retry", ...DELIVERY },
  deliverReplay: { name: "deliver-replay", ...DELIVERY },
  deliverSlow: { name: "deliver-slow", ...DELIVERY },
  deliverSuspect: { name: "deliver-suspect", ...DELIVERY },
  deliverOrdered: { name: "deliver-ordered", ...DELIVERY },
} as const satisfies Record<string, Queue & { name: string }>;

export type DeliveryQueue = (typeof DELIVERY_QUEUES)[keyof typeof DELIVERY_QUEUES]["name"];

export const DELIVERY_QUEUE_NAMES = Object.values(DELIVERY_QUEUES).map((queue) => queue.name);

/** Every queue there is. */
export const QUEUES = {
  ...DELIVERY_QUEUES,
  /** Closes what is queued for an endpoint that takes no deliveries any more. */
  cancelQueued: {
    name: "cancel-queued",
    policy: "standard",
    retryLimit: 100,
    retryDelay: 5,
    expireInSeconds: 300,
    retentionSeconds: 30 * 86_400,
    deleteAfterSeconds: 86_400,
  },
  /** Makes due what was held for an endpoint that is enabled again. */
  releaseHeld: {
    name: "release-held",
    policy: "standard",
    retryLimit: 100,
    retryDelay: 5,
    expireInSeconds: 300,
    retentionSeconds: 30 * 86_400,
    deleteAfterSeconds: 86_400,
  },
  /** Puts what is pending for an endpoint that has become ordered into its queue. */
  queuePending: {
    name: "queue-pending",
    policy: "standard",
    retryLimit: 100,
    retryDelay: 5,
    expireInSeconds: 300,
    retentionSeconds: 30 * 86_400,
    deleteAfterSeconds: 86_400,
  },
  /** The next step of a replay. It is taken, made and followed by the job of the next one in a single transaction. */
  replays: {
    name: "replays",
    policy: "standard",
    retryLimit: 100,
    retryDelay: 5,
    expireInSeconds: 300,
    retentionSeconds: 365 * 86_400,
    deleteAfterSeconds: 86_400,
  },
} as const satisfies Record<string, Queue & { name: string }>;

/** What a job of `releaseHeld` and of `queuePending` carries. */
export interface EndpointJob {
  tenantId: string;
  endpointId: string;
}

/** What a job of `cancelQueued` carries. */
export interface CancelQueuedJob extends EndpointJob {
  /** A UUIDv7: deliveries that were made after it are left alone. */
  before: string;
}

/** What a job of `replays` carries. */
export interface ReplayJob {
  tenantId: string;
  replayId: string;
}

/** A send to a queue that does not exist throws, so all of them are made before anything runs. */
export async function createQueues(boss: PgBoss): Promise<void> {
  const present = new Set((await boss.getQueues()).map((queue) => queue.name));
  for (const { name, policy, ...options } of Object.values(QUEUES)) {
    if (present.has(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, { policy, ...options });
  }
}
