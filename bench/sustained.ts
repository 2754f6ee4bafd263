import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { MAX_BATCH_EVENTS } from "#contracts/events.ts";
import { workerProcesses } from "#server/settings/worker-processes.ts";
import { whenEmpty } from "./crew.ts";
import { besideBare, WARM_UP } from "./drain.ts";
import type { Ground } from "./ground.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { type Receiver, withReceiver } from "./receivers.ts";
import { processes, type Row, type Say } from "./report.ts";
import { eventRequest, type PostRequest } from "./requests.ts";
import { inRounds, medianOf } from "./rounds.ts";

export interface SustainedOptions {
  bodyBytes: number;
  /** How long is measured. */
  durationMs: number;
  say: Say;
}

const ENDPOINTS = 20;
/** As much is kept waiting, so that neither side ever waits for the other. */
const WAITING = 5_000;
const PUBLISHERS = 2;
const LOOK_EVERY_MS = 20;
const BARE_REQUESTS = 20_000;

/**
 * Measures deliveries while as many events are published: over HTTP in batches, by a web process beside as many workers as
 * `npm start` runs. What waits is kept at a few thousand, so the figure is one that could go on for ever; at the end every
 * event must have its durable attempt.
 */
export async function measureSustained(ground: Ground, options: SustainedOptions): Promise<Row[]> {
  const workers = workerProcesses(availableParallelism());
  const rounds = await inRounds(processes(workers), options.say, () =>
    measureRound(ground, workers, options),
  );
  const { perSecond, barePerSecond, waiting } = medianOf(
    rounds,
    (round) => round.perSecond / round.barePerSecond,
  );
  return [
    {
      name: `${processes(workers)}, with as many events published meanwhile, ${MAX_BATCH_EVENTS} at a time`,
      value: perSecond,
      unit: "/s",
      limit: { name: "bare sign + POST", value: barePerSecond },
      wanted: { atLeast: 0.5 },
    },
    {
      name: "  most that waited at once",
      value: (waiting / perSecond) * 1000,
      unit: "ms",
    },
  ];
}

function measureRound(ground: Ground, workers: number, options: SustainedOptions) {
  return withReceiver(async (receiver) => {
    const requests = { origin: receiver.origin, total: BARE_REQUESTS, bodyBytes: options.bodyBytes };
    const { measured, barePerSecond } = await besideBare(requests, () =>
      deliverAnew(ground, receiver, workers, options),
    );
    return { ...measured, barePerSecond };
  });
}

/** Publishes and delivers in an installation of its own. */
async function deliverAnew(
  ground: Ground,
  receiver: Receiver,
  workers: number,
  options: SustainedOptions,
): Promise<{ perSecond: number; waiting: number }> {
  const installation = await openInstallation(ground, {
    receiverOrigin: receiver.origin,
    endpoints: ENDPOINTS,
  });
  try {
    return await deliver(installation, receiver, workers, options);
  } finally {
    await installation.close();
  }
}

async function deliver(
  installation: Installation,
  receiver: Receiver,
  workers: number,
  { bodyBytes, durationMs }: SustainedOptions,
): Promise<{ perSecond: number; waiting: number }> {
  const { shop, headers } = installation;
  for (let worker = 0; worker < workers; worker++) await installation.start("workers/main.ts");
  const { origin } = await installation.start("web/main.ts");
  const publisher = startPublisher(receiver, origin, {
    headers,
    ...eventRequest(bodyBytes, { size: MAX_BATCH_EVENTS, endpoints: ENDPOINTS }),
  });
  const whileGoing = (ms: number) => Promise.race([delay(ms), publisher.failed]);
  while (publisher.arrived().count < workers * WARM_UP) await whileGoing(LOOK_EVERY_MS);
  const began = publisher.arrived();
  await whileGoing(durationMs);
  const ended = publisher.arrived();
  const perSecond = (ended.count - began.count) / ((ended.at - began.at) / 1000);
  const { published, waiting } = await publisher.stop();
  await whenEmpty(shop.db);
  await requireAttempts(installation, published);
  return { perSecond, waiting };
}

interface Publisher {
  /** Rejects when a call was refused. */
  failed: Promise<never>;
  /** How much of it had arrived when it was looked at last, and when that was. */
  arrived(): { count: number; at: number };
  stop(): Promise<{ published: number; waiting: number }>;
}

/** Publishes whenever too little waits, on several connections: one alone would wait for its answers most of the time. */
function startPublisher(
  receiver: Receiver,
  origin: string,
  { body, ...rest }: PostRequest & { headers: Record<string, string> },
): Publisher {
  const pool = new Pool(origin, { connections: PUBLISHERS });
  const request = { ...rest, body: Buffer.from(body) };
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let [published, waiting, isOver] = [0, 0, false];
  let arrived = { count: 0, at: performance.now() };
  // Once for all of them: asking costs the machine something too.
  const look = async () => {
    const before = await receiver.count();
    while (!isOver) {
      arrived = { count: (await receiver.count()) - before, at: performance.now() };
      waiting = Math.max(waiting, published - arrived.count);
      await delay(LOOK_EVERY_MS);
    }
  };
  const loop = async () => {
    while (!isOver) {
      if (published - arrived.count >= WAITING) await delay(LOOK_EVERY_MS);
      else {
        published += MAX_BATCH_EVENTS;
        await publish(pool, request);
      }
    }
  };
  const loops = Promise.all([look(), ...Array.from({ length: PUBLISHERS }, loop)]).catch(failed.reject);
  return {
    failed: failed.promise,
    arrived: () => arrived,
    async stop() {
      isOver = true;
      await loops;
      await pool.close();
      return { published, waiting };
    },
  };
}

async function publish(
  pool: Pool,
  { path, headers, body }: { path: string; headers: Record<string, string>; body: Buffer },
) {
  const response = await pool.request({ path, method: "POST", headers, body });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`POST ${path}: ${response.statusCode} ${text}`);
}

/** What was not stored for good counts for nothing. */
async function requireAttempts({ shop }: Installation, published: number): Promise<void> {
  const [row] = await shop.db.query<{ attempts: number }>("select count(*)::int as attempts from attempts");
  if (row?.attempts !== published)
    throw new Error(`${published} events were published, and ${row?.attempts} attempts are stored`);
}
