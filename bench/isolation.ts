import { setTimeout as delay } from "node:timers/promises";
import { createWaker } from "#server/runtime/wake.ts";
import { Child } from "./child.ts";
import { type Crew, withCrew } from "./crew.ts";
import type { Ground } from "./ground.ts";
import { percentile, type Row, ratioOf, type Say } from "./report.ts";
import { inRounds, medianOf } from "./rounds.ts";
import { publishBacklog } from "./shop.ts";

const ENDPOINTS = 20;
const HANGING = 2;
const QUEUED = 10_000;
const EVENTS_PER_SECOND = 50;
const WARM_UP_EVENTS = 200;

export interface IsolationOptions {
  /** To healthy endpoints. */
  deliveries: number;
  bodyBytes: number;
  /** How long latency is measured. */
  durationMs: number;
  say: Say;
}

interface Seen {
  count: number;
  latencies: number[];
}

/**
 * Measures what it does to the others when two of twenty endpoints never answer: with 10,000 deliveries queued for those
 * two ahead of everything else, and without. Both begin with a worker that has just started. Of each row the median round.
 */
export async function measureIsolation(ground: Ground, options: IsolationOptions): Promise<Row[]> {
  const rounds = await inRounds("without and with", options.say, () => measureRound(ground, options));
  const [first = []] = rounds;
  return first.map((_, row) =>
    medianOf(
      rounds.flatMap((rows) => rows[row] ?? []),
      (round) => ratioOf(round) ?? Number.NaN,
    ),
  );
}

async function measureRound(ground: Ground, options: IsolationOptions): Promise<Row[]> {
  const without = await measure(ground, options, 0);
  const withHanging = await measure(ground, options, QUEUED);
  const part = (share: number) => (sample: number[]) => percentile(sample, share);
  const [p50, p99] = [part(0.5), part(0.99)];
  return [
    {
      name: "healthy endpoints beside two that hang, drain of a backlog",
      value: withHanging.perSecond,
      unit: "/s",
      limit: { name: "without those", value: without.perSecond },
      wanted: { atLeast: 0.85 },
    },
    {
      name: `publish to arrival at ${EVENTS_PER_SECOND}/s beside two that hang, p50`,
      value: p50(withHanging.latencies),
      unit: "ms",
      limit: { name: "without those", value: p50(without.latencies) },
    },
    {
      name: `publish to arrival at ${EVENTS_PER_SECOND}/s beside two that hang, p99`,
      value: p99(withHanging.latencies),
      unit: "ms",
      limit: { name: "without those", value: p99(without.latencies) },
      wanted: { atMost: 2 },
    },
  ];
}

async function measure(
  ground: Ground,
  options: IsolationOptions,
  queued: number,
): Promise<{ perSecond: number; latencies: number[] }> {
  const receiver = new Child("bench/hanging-receiver.ts", {}, [String(HANGING)]);
  try {
    const { port } = await receiver.said<{ port: number }>();
    const site = { origin: `http://127.0.0.1:${port}`, endpoints: ENDPOINTS };
    const seen = () => receiver.ask<Seen>({});
    return await withCrew(ground, site, async (crew) => {
      const { bodyBytes, deliveries } = options;
      await publishBacklog(crew.shop, { deliveries: queued, bodyBytes, before: HANGING });
      await publishBacklog(crew.shop, { deliveries, bodyBytes, from: HANGING });
      // What half a minute later the kernel would write of it, all at once, would hold up the commits that are measured. A
      // server that is not the benchmark's own may refuse this.
      await crew.shop.db.query("checkpoint").catch(() => {});
      await crew.start(1);
      const perSecond = await rateOf(seen, deliveries);
      return { perSecond, latencies: await latenciesOf(crew, seen, options) };
    });
  } finally {
    await receiver.stop();
  }
}

/** From the first request that comes to the last. */
async function rateOf(seen: () => Promise<Seen>, deliveries: number): Promise<number> {
  const at = async (wanted: number) => {
    for (;;) {
      const { count } = await seen();
      if (count >= wanted) return { count, ms: performance.now() };
      await delay(5);
    }
  };
  const first = await at(1);
  const last = await at(deliveries);
  return (deliveries - first.count) / ((last.ms - first.ms) / 1000);
}

/** Publishes at a steady rate; gives the milliseconds from each event's timestamp to its arrival. */
async function latenciesOf(
  { shop }: Crew,
  seen: () => Promise<Seen>,
  { bodyBytes, durationMs }: IsolationOptions,
): Promise<number[]> {
  const total = WARM_UP_EVENTS + Math.round((durationMs / 1000) * EVENTS_PER_SECOND);
  const { count: before } = await seen();
  const latencies: number[] = [];
  const wakeWorkers = createWaker(shop.db);
  const began = performance.now();
  const publishing: Promise<void>[] = [];
  for (let n = 0; n < total; n++) {
    await delay(Math.max(0, began + (n * 1000) / EVENTS_PER_SECOND - performance.now()));
    const endpoint = HANGING + (n % (ENDPOINTS - HANGING));
    const one = { deliveries: 1, bodyBytes, from: endpoint, before: endpoint + 1, wakeWorkers };
    publishing.push(publishBacklog(shop, one));
  }
  await Promise.all(publishing);
  for (;;) {
    const { count, latencies: more } = await seen();
    latencies.push(...more);
    if (count - before >= total) return latencies.slice(-(total - WARM_UP_EVENTS));
    await delay(20);
  }
}
