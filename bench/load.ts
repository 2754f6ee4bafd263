import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { percentile } from "./report.ts";

// The load generator, a process of its own: sends the same request over and over on kept connections, one at a time on each.

export interface Load {
  origin: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  warmUpMs: number;
  durationMs: number;
}

export interface LoadResult {
  /** Answers of 2xx within the measured time, per second. */
  perSecond: number;
  /** How many answers of 2xx came, in the warm-up too. */
  accepted: number;
  /** How often each other status came, in the warm-up too; "error" is a request without an answer. */
  refused: Record<string, number>;
  /** From the first byte sent to the last one read. */
  p50Ms: number;
  p99Ms: number;
}

async function run(load: Load): Promise<LoadResult> {
  const pool = new Pool(load.origin, { connections: load.connections, pipelining: 1, bodyTimeout: 60_000 });
  const body = Buffer.from(load.body);
  const latencies: number[] = [];
  const refused: Record<string, number> = {};
  let isMeasured = false;
  let isOver = false;
  let accepted = 0;
  const loop = async () => {
    while (!isOver) {
      const began = performance.now();
      const status = await post(pool, load, body).catch(() => "error");
      const isAccepted = typeof status === "number" && status < 300;
      if (!isAccepted) refused[status] = (refused[status] ?? 0) + 1;
      else {
        accepted++;
        if (isMeasured && !isOver) latencies.push(performance.now() - began);
      }
    }
  };
  const loops = Array.from({ length: load.connections }, loop);
  await delay(load.warmUpMs);
  isMeasured = true;
  const began = performance.now();
  await delay(load.durationMs);
  isOver = true;
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(loops);
  await pool.close();
  return {
    perSecond: latencies.length / seconds,
    accepted,
    refused,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}

function post(pool: Pool, { path, headers }: Load, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(
      { path, method: "POST", body, headers },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData() {},
        onResponseEnd: () => resolve(status),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

process.on("message", async (load: Load) => {
  process.send?.(await run(load));
});
process.on("disconnect", () => process.exit());
