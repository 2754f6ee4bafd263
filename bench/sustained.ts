import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { whenEmpty } from "./crew.ts";
import { measureBare } from "./drain.ts";
import type { Ground } from "./ground.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { type Receiver, withReceiver } from "./receivers.ts";
import type { Row } from "./report.ts";
import { eventRequest, type PostRequest } from "./requests.ts";

export interface SustainedOptions {
  bodyBytes: number;
  /** How long is measured. */
  durationMs: number;
}

const ENDPOINTS = 20;
const BATCH = 100;
/** As much is kept waiting, so that neither side ever waits for the other. */
const WAITING = 5_000;
const PUBLISHERS = 4;
const WARM_UP_MS = 5_000;
const BARE_REQUESTS = 20_000;

/**
 * Measures deliveries while as many events are published: over HTTP in batches, by a web process beside the worker.
 * What waits is kept at a few thousand, so the figure is one that could go on for ever; at the end every event must
 * have its durable attempt.
 */
export async function measureSustained(ground: Ground, options: SustainedOptions): Promise<Row[]> {
  return withReceiver(async (receiver) => {
    const bare = await measureBare(receiver.origin, BARE_REQUESTS, options.bodyBytes);
    const installation = await openInstallation(ground, {
      receiverOrigin: receiver.origin,
      endpoints: ENDPOINTS,
    });
    try {
      const { perSecond, waiting } = await deliver(installation, receiver, options);
      return [
        {
          name: "durable deliveries, with as many events published meanwhile",
          value: perSecond,
          unit: "/s",
          limit: { name: "bare sign + POST", value: bare },
          wanted: { atLeast: 0.5 },
        },
        {
          name: "  most that waited at once",
          value: (waiting / perSecond) * 1000,
          unit: "ms",
        },
      ];
    } finally {
      await installation.close();
    }
  });
}

async function deliver(
  installation: Installation,
  receiver: Receiver,
  { bodyBytes, durationMs }: SustainedOptions,
): Promise<{ perSecond: number; waiting: number }> {
  const { shop, headers } = installation;
  await installation.start("workers/main.ts");
  const { origin } = await installation.start("web/main.ts");
  const publisher = startPublisher(receiver, origin, {
    headers,
    ...eventRequest(bodyBytes, { size: BATCH, endpoints: ENDPOINTS }),
  });
  await Promise.race([delay(WARM_UP_MS), publisher.failed]);
  const [before, began] = [await receiver.count(), performance.now()];
  await Promise.race([delay(durationMs), publisher.failed]);
  const perSecond = ((await receiver.count()) - before) / ((performance.now() - began) / 1000);
  const { published, waiting } = await publisher.stop();
  await whenEmpty(shop.db);
  await requireAttempts(installation, published);
  return { perSecond, waiting };
}

interface Publisher {
  /** Rejects when a call was refused. */
  failed: Promise<never>;
  stop(): Promise<{ published: number; waiting: number }>;
}

/** Publishes whenever too little waits, on several connections: one alone would wait for its answers most of the time. */
function startPublisher(
  receiver: Receiver,
  origin: string,
  request: PostRequest & { headers: Record<string, string> },
): Publisher {
  const pool = new Pool(origin, { connections: PUBLISHERS });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let [published, waiting, isOver] = [0, 0, false];
  const loop = async () => {
    while (!isOver) {
      const behind = published - (await receiver.count());
      waiting = Math.max(waiting, behind);
      if (behind >= WAITING) await delay(2);
      else {
        published += BATCH;
        await publish(pool, request);
      }
    }
  };
  const loops = Promise.all(Array.from({ length: PUBLISHERS }, loop)).catch(failed.reject);
  return {
    failed: failed.promise,
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
  { path, headers, body }: PostRequest & { headers: Record<string, string> },
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
