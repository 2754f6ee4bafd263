import { setTimeout as delay } from "node:timers/promises";
import type { ChaosServer } from "./database.ts";
import { Dice } from "./dice.ts";
import type { Evidence, FaultWindow } from "./evidence.ts";
import { FeedReader } from "./feed-reader.ts";
import { inject } from "./inject.ts";
import { patiently } from "./patiently.ts";
import type { Fault } from "./plan.ts";
import { Publisher } from "./publisher.ts";
import { readDatabase, readProgress } from "./recorder.ts";
import { type Stage, type StageOptions, setStage } from "./stage.ts";

export interface RunOptions extends StageOptions {
  seed: number;
  seconds: number;
  plan: readonly Fault[];
  /** Events per second of each tenant, about. */
  rate: number;
  /** How long everything may take to come round when faults are over, as long as something still does. */
  settleWithinMs: number;
  /** How long nothing at all has to have come round to be given up; default: never. */
  stuckAfterMs?: number;
}

/** Load and faults, then no faults, then rest; gives all that is known of it. */
export async function run(server: ChaosServer, options: RunOptions): Promise<Evidence> {
  const stage = await setStage(server, options);
  try {
    const dice = new Dice(options.seed + 1);
    const publishers = stage.tenants.map(
      (tenant) => new Publisher({ api: stage.api, dice, tenant, rate: options.rate }),
    );
    const readers = stage.tenants.map((tenant) => new FeedReader(stage.api, tenant));
    const reading = readers.map((reader) => reader.run());
    const publishing = publishers.map((publisher) => publisher.run());
    const injecting = inject(options.plan, { server, ...stage });
    const [faults] = await Promise.all([injecting, delay(options.seconds * 1000)]);
    for (const publisher of publishers) publisher.stop();
    stage.receivers.calmDown();
    await within(options.settleWithinMs, Promise.all(publishing));
    await untilQuiet(stage, readers, options);
    for (const reader of readers) reader.stop();
    await Promise.all(reading);
    return await gather({ server, stage, faults, publishers, readers });
  } finally {
    await stage.clear();
  }
}

/** Publications that get no answer at all are no reason to wait for ever: they are not counted as accepted. */
const within = (ms: number, work: Promise<unknown>) =>
  Promise.race([work, delay(ms, undefined, { ref: false })]);

/** Waits until nothing is pending and every feed is read to its end, or for as long as that may take. */
async function untilQuiet(
  { db }: Stage,
  readers: readonly FeedReader[],
  { settleWithinMs, stuckAfterMs = settleWithinMs }: RunOptions,
): Promise<void> {
  const deadline = Date.now() + settleWithinMs;
  let seen = { pending: -1, at: Date.now() };
  while (Date.now() < Math.min(deadline, seen.at + stuckAfterMs)) {
    const { pending, last, left } = await patiently(() => readProgress(db));
    const isRead = readers.every(
      ({ reading }) => (reading.events.at(-1)?.sequence ?? 0) >= (last.get(reading.tenantId) ?? 0),
    );
    if (pending === 0 && isRead && Object.values(left).every((count) => count === 0)) return;
    if (pending !== seen.pending) seen = { pending, at: Date.now() };
    await delay(100);
  }
}

interface Ended {
  server: ChaosServer;
  stage: Stage;
  faults: readonly FaultWindow[];
  publishers: readonly Publisher[];
  readers: readonly FeedReader[];
}

async function gather({ server, stage, faults, publishers, readers }: Ended): Promise<Evidence> {
  const { db, tenants, endpoints, receivers } = stage;
  const { left: leftovers } = await patiently(() => readProgress(db));
  const children = [...stage.webs, ...stage.workers].map(({ child }) => child);
  await Promise.all(children.map((child) => child.stop()));
  const logs = children.map(({ name, log: text }) => ({ name, text }));
  return {
    ...{ tenants, endpoints, faults, leftovers },
    accepted: publishers.flatMap(({ accepted }) => accepted),
    refusals: [...publishers, ...readers].flatMap(({ refusals }) => refusals),
    ...(await patiently(() => readDatabase(db))),
    arrivals: receivers.arrivals,
    feeds: readers.map(({ reading }) => reading),
    logs: [...logs, { name: "PostgreSQL", text: await server.log() }],
    secrets: { ...stage.secrets, "the password of the database": server.password },
    collapses: children.flatMap(({ collapses }) => collapses),
  };
}
