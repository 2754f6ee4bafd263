import { setTimeout as delay } from "node:timers/promises";
import { residentMiB, whenEmpty, withCrew } from "./crew.ts";
import { WARM_UP } from "./drain.ts";
import type { Ground } from "./ground.ts";
import { type Receiver, withReceiver } from "./receivers.ts";
import type { Row, Say } from "./report.ts";
import { publishBacklog } from "./shop.ts";

const ENDPOINTS = 20;
const MAX_MIB = 350;

export interface BacklogOptions {
  /** The sizes of the backlogs, the smallest first: it is what the others are measured against. */
  sizes: readonly number[];
  bodyBytes: number;
  say: Say;
}

interface Emptied {
  perSecond: number;
  /** Of the slowest tenth. */
  slowest: number;
  peakMiB: number;
  /** Of the tables and indexes that every delivery changes. */
  queueMiB: number;
}

/** Measures how fast one worker empties backlogs of several sizes, and what memory it takes. */
export async function measureBacklog(ground: Ground, options: BacklogOptions): Promise<Row[]> {
  const rows: Row[] = [];
  let smallest: { name: string; value: number } | undefined;
  for (const size of options.sizes) {
    const emptied = await withReceiver((receiver) => empty(ground, receiver, size, options));
    const count = size.toLocaleString("en");
    const limit = smallest;
    smallest ??= { name: `of ${count}`, value: emptied.perSecond };
    rows.push({
      name: `a backlog of ${count}, emptied by one worker`,
      value: emptied.perSecond,
      unit: "/s",
      ...(limit ? { limit, wanted: { atLeast: 0.9 } } : {}),
    });
    if (size === options.sizes.at(-1))
      rows.push(
        {
          name: "  its slowest tenth",
          value: emptied.slowest,
          unit: "/s",
          limit: { name: "all of it", value: emptied.perSecond },
        },
        {
          name: "  most memory of the worker",
          value: emptied.peakMiB,
          unit: "MiB",
          wanted: { atMost: MAX_MIB },
        },
        { name: "  table of jobs and its indexes at the end", value: emptied.queueMiB, unit: "MiB" },
      );
  }
  return rows;
}

function empty(
  ground: Ground,
  { origin, count }: Receiver,
  size: number,
  { bodyBytes, say }: BacklogOptions,
): Promise<Emptied> {
  return withCrew(ground, { origin, endpoints: ENDPOINTS }, async ({ shop, start }) => {
    say(`publishing ${size.toLocaleString("en")} events`);
    await publishBacklog(shop, { deliveries: size + WARM_UP, bodyBytes });
    const [worker] = await start(1);
    if (!worker) throw new Error("no worker was started");
    while ((await count()) < WARM_UP) await delay(5);
    const began = { at: performance.now(), sent: await count() };

    // What has come is asked of the receiver: the database has enough to do.
    const samples = [began];
    const memory = [await residentMiB(worker)];
    const total = size + WARM_UP;
    for (let told = 0; ; ) {
      const sent = await count();
      samples.push({ at: performance.now(), sent });
      if (sent >= total) break;
      memory.push(await residentMiB(worker));
      if (Math.floor((10 * sent) / total) > told) {
        told = Math.floor((10 * sent) / total);
        say(`${told * 10} % of ${size.toLocaleString("en")}, ${Math.round(memory.at(-1) ?? 0)} MiB`);
      }
      await delay(Math.min(1_000, size / 500));
    }
    await whenEmpty(shop.db);
    const seconds = (performance.now() - began.at) / 1000;
    const [queue] = await shop.db.query<{ bytes: string }>(
      "select pg_total_relation_size('pgboss.job_common') as bytes",
    );
    return {
      perSecond: (total - began.sent) / seconds,
      slowest: slowestTenth(samples),
      peakMiB: Math.max(...memory),
      queueMiB: Number(queue?.bytes) / 2 ** 20,
    };
  });
}

/** The rate of the tenth of what was sent that took longest. */
function slowestTenth(samples: readonly { at: number; sent: number }[]): number {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return Number.NaN;
  const tenth = (last.sent - first.sent) / 10;
  let slowest = Number.POSITIVE_INFINITY;
  let from = first;
  for (const sample of samples) {
    if (sample.sent - from.sent < tenth) continue;
    slowest = Math.min(slowest, (sample.sent - from.sent) / ((sample.at - from.at) / 1000));
    from = sample;
  }
  return slowest;
}
