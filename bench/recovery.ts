import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { whenEmpty, withCrew } from "./crew.ts";
import type { Ground } from "./ground.ts";
import { type Receiver, withReceiver } from "./receivers.ts";
import { percentile, type Row, type Say } from "./report.ts";
import { publishBacklog } from "./shop.ts";

const ENDPOINTS = 20;
const WORKERS = 2;
/** Delivered before the kill: by then each worker holds as much as it may. */
const WARM_UP = 10_000;
const WITHIN_MS = 2_000;

/** A delivery that the killed worker held, in milliseconds from the kill. */
interface Held extends Record<string, unknown> {
  /** When its lost try was logged, by who took it over. */
  takenMs: number;
  /** When it was sent again. */
  sentMs: number;
}

/** Measures how soon everything that a worker held is sent again after kill -9, with two of them emptying a backlog. */
export async function measureRecovery(
  ground: Ground,
  size: { deliveries: number; bodyBytes: number; rounds: number; say: Say },
): Promise<Row[]> {
  const all: Held[][] = [];
  for (let round = 1; round <= size.rounds; round++) {
    const held = await withReceiver((receiver) => killOne(ground, receiver, size));
    const times = held.map(({ sentMs }) => Math.round(sentMs));
    const taken = held.map(({ takenMs }) => Math.round(takenMs));
    size.say(
      `round ${round} of ${size.rounds}: ${held.length} held, taken over until ${Math.max(...taken)} ms, sent again from ${Math.min(...times)} to ${Math.max(...times)} ms`,
    );
    all.push(held);
  }
  const over = (pick: (held: readonly Held[]) => number) => percentile(all.map(pick), 0.5);
  const sent = (part: number) => (held: readonly Held[]) =>
    percentile(
      held.map(({ sentMs }) => sentMs),
      part,
    );
  return [
    {
      name: "the first of its deliveries is sent again",
      value: over((held) => Math.min(...held.map(({ sentMs }) => sentMs))),
      unit: "ms",
    },
    { name: "half of them are", value: over(sent(0.5)), unit: "ms" },
    { name: "the last of them is", value: over(sent(1)), unit: "ms", wanted: { atMost: WITHIN_MS } },
    {
      name: "  in the worst round",
      value: Math.max(...all.map(sent(1))),
      unit: "ms",
      wanted: { atMost: WITHIN_MS },
    },
  ];
}

function killOne(
  ground: Ground,
  { origin, count }: Receiver,
  { deliveries, bodyBytes }: { deliveries: number; bodyBytes: number },
): Promise<Held[]> {
  return withCrew(ground, { origin, endpoints: ENDPOINTS }, async ({ shop, start }) => {
    await publishBacklog(shop, { deliveries: deliveries + WARM_UP, bodyBytes });
    const [worker] = await start(WORKERS);
    while ((await count()) < WARM_UP) await delay(5);
    const killedAt = Date.now();
    await worker?.kill();
    await whenEmpty(shop.db);
    return listHeld(shop.db, killedAt);
  });
}

/** The deliveries with a lost try, and when they were tried again. */
function listHeld(db: Db, killedAt: number): Promise<Held[]> {
  const since = (at: string) => `(extract(epoch from ${at}) * 1000 - $1)::float8`;
  return db.query<Held>(
    `select ${since("lost.started_at")} as "takenMs", ${since("again.started_at")} as "sentMs"
       from attempts lost
       join attempts again on again.tenant_id = lost.tenant_id and again.delivery_id = lost.delivery_id
                          and again.number = lost.number + 1
      where lost.outcome = 'lost'`,
    [killedAt],
  );
}
