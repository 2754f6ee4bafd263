import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { percentile } from "./report.ts";

// Publisher and receiver in one process, whose one clock measures from the one to the other. At some tens of events a
// second it has nearly nothing to do, so that it adds next to nothing itself.

export interface ArrivalsRequest {
  /** Where to publish. */
  origin: string;
  headers: Record<string, string>;
  type: string;
  bodyBytes: number;
  perSecond: number;
  events: number;
  /** Published and delivered before, as fast as calls are answered; of these no time is taken. */
  warmUp: number;
}

export interface Arrivals {
  p50Ms: number;
  p99Ms: number;
  /** Until the publisher had its answer. */
  answerP50Ms: number;
  /** Of those that were published, how many have not come within ten seconds. */
  missing: number;
}

const WAIT_MS = 10_000;
const CONNECTIONS = 16;
const arrived = new Map<number, number>();

const server = createServer((request, response) => {
  const at = performance.now();
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const { data } = JSON.parse(Buffer.concat(parts).toString("utf8")) as { data: { n: number } };
    if (!arrived.has(data.n)) arrived.set(data.n, at);
    response.writeHead(200, { "content-length": "2" }).end("ok");
  });
});
server.keepAliveTimeout = 60_000;

async function run({ origin, headers, ...request }: ArrivalsRequest): Promise<Arrivals> {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const sent: number[] = [];
  const answers: number[] = [];
  const publish = async (n: number) => {
    const text = "x".repeat(request.bodyBytes);
    const body = JSON.stringify({ type: request.type, data: { n, text } });
    sent[n] = performance.now();
    const response = await pool.request({ path: "/api/v1/events", method: "POST", headers, body });
    const told = await response.body.text();
    if (response.statusCode !== 201) throw new Error(`POST /events: ${response.statusCode} ${told}`);
    answers[n] = performance.now() - (sent[n] ?? 0);
  };
  const total = request.warmUp + request.events;
  let next = 0;
  const inTurn = async () => {
    while (next < request.warmUp) await publish(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, inTurn));
  await whenArrived(request.warmUp);
  // By the clock, whether or not what went before has been answered: who waits for answers measures only good times.
  const began = performance.now();
  const calls: Promise<void>[] = [];
  for (let n = request.warmUp; n < total; n++) {
    await delay(Math.max(0, began + ((n - request.warmUp) * 1000) / request.perSecond - performance.now()));
    calls.push(publish(n));
  }
  await Promise.all(calls);
  await whenArrived(total);
  await pool.close();
  const times = sent.flatMap((at, n) => {
    const arrival = arrived.get(n);
    return n < request.warmUp || arrival === undefined ? [] : [arrival - at];
  });
  return {
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    answerP50Ms: percentile(answers.slice(request.warmUp), 0.5),
    missing: total - arrived.size,
  };
}

/** Settles when that many have arrived, or nothing more is to be expected. */
async function whenArrived(count: number): Promise<void> {
  for (const end = performance.now() + WAIT_MS; arrived.size < count && performance.now() < end; )
    await delay(20);
}

await once(server.listen(0, "127.0.0.1"), "listening");
process.send?.({ port: (server.address() as AddressInfo).port });
process.on("message", async (request: ArrivalsRequest) => {
  process.send?.(await run(request));
});
process.on("disconnect", () => process.exit());
