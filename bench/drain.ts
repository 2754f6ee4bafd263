import { setTimeout as delay } from "node:timers/promises";
import type { BareRequests } from "./bare.ts";
import { Child } from "./child.ts";
import { cpuMs } from "./cpu.ts";
import { whenEmpty, withCrew } from "./crew.ts";
import type { Ground } from "./ground.ts";
import { type Receiver, withReceiver } from "./receivers.ts";
import { publishBacklog } from "./shop.ts";

export interface DrainSize {
  deliveries: number;
  bodyBytes: number;
  /** Processes that share the work; 1 by default. */
  workers?: number;
  /** That the deliveries go to; 20 by default. */
  endpoints?: number;
}

interface Emptied {
  deliveriesPerSecond: number;
  /** Microseconds of CPU for each delivery; NaN where it cannot be told. */
  workerMicros: number;
  postgresMicros: number;
}

export interface Drain extends Emptied, Pick<Receiver, "language"> {
  /** The limit, measured within the same minute. */
  barePerSecond: number;
}

const ENDPOINTS = 20;
/** Sent before the clock starts, by who measures the limit and by each worker alike: all begin with warm code. */
export const WARM_UP = 20_000;
/** Looking costs the machine something too. */
const LOOK_EVERY_MS = 20;

/**
 * Measures the bare limit, then how fast worker processes empty a backlog: up to the commit of the last delivery, each
 * with a durable attempt. Receiver, limit and workers are processes of their own.
 */
export function measureDrain(ground: Ground, size: DrainSize): Promise<Drain> {
  return withReceiver(async ({ language, origin, count }) => {
    const requests = { origin, total: size.deliveries, bodyBytes: size.bodyBytes };
    const { measured, barePerSecond } = await besideBare(requests, () =>
      emptyBacklog(ground, { origin, count }, size),
    );
    return { ...measured, language, barePerSecond };
  });
}

/** Measures something, with the bare limit before and after it: the machine itself is faster one minute than the next. */
export async function besideBare<T>(
  requests: Omit<BareRequests, "by">,
  measure: () => Promise<T>,
): Promise<{ measured: T; barePerSecond: number }> {
  const bare = () => measureBare({ ...requests, by: "undici" });
  const before = await bare();
  const measured = await measure();
  return { measured, barePerSecond: 2 / (1 / before + 1 / (await bare())) };
}

/** How many bodies per second one process signs and posts when there is nothing else to do. */
async function measureBare(requests: BareRequests): Promise<number> {
  const bare = new Child("bench/bare.ts");
  await bare.ask({ ...requests, total: WARM_UP });
  const { rate } = await bare.ask<{ rate: number }>(requests);
  await bare.stop();
  return rate;
}

/** Measures the sender that deliveries go through by itself: `measured` is its rate per second. */
export function measureSender({
  deliveries,
  bodyBytes,
}: DrainSize): Promise<{ measured: number; barePerSecond: number }> {
  return withReceiver(({ origin }) => {
    const requests = { origin, total: deliveries, bodyBytes };
    return besideBare(requests, () => measureBare({ ...requests, by: "sender" }));
  });
}

/** Empties a backlog with workers that are warm by the time the clock starts. */
export function emptyBacklog(
  ground: Ground,
  { origin, count }: Pick<Receiver, "origin" | "count">,
  { deliveries, bodyBytes, workers = 1, endpoints = ENDPOINTS }: DrainSize,
): Promise<Emptied> {
  return withCrew(ground, { origin, endpoints }, async ({ shop, start }) => {
    const all = deliveries + workers * WARM_UP;
    const sentBefore = await count();
    const sent = async () => (await count()) - sentBefore;
    await publishBacklog(shop, { deliveries: all, bodyBytes });
    const pids = (await start(workers)).map(({ pid }) => pid);
    while ((await sent()) < workers * WARM_UP) await delay(LOOK_EVERY_MS);

    const usage = () => ({ workers: cpuMs(...pids), postgres: cpuMs(ground.postmasterPid) });
    const before = usage();
    const began = { at: performance.now(), sent: await sent() };
    // Asking the database costs it something: only for the last of it.
    while ((await sent()) < all) await delay(LOOK_EVERY_MS);
    await whenEmpty(shop.db);
    const seconds = (performance.now() - began.at) / 1000;
    const after = usage();
    const measured = all - began.sent;
    return {
      deliveriesPerSecond: measured / seconds,
      workerMicros: ((after.workers - before.workers) * 1000) / measured,
      postgresMicros: ((after.postgres - before.postgres) * 1000) / measured,
    };
  });
}
