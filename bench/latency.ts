import type { Arrivals, ArrivalsRequest } from "./arrivals.ts";
import { Child } from "./child.ts";
import type { Ground } from "./ground.ts";
import { openInstallation } from "./installation.ts";
import type { Row } from "./report.ts";
import { typeOf } from "./shop.ts";

export interface LatencyOptions {
  bodyBytes: number;
  events: number;
}

const PER_SECOND = 50;
/** Code that runs fifty times a second takes minutes to be compiled, and a service runs for days. */
const WARM_UP = 5_000;

/**
 * Measures from the sending of a POST that publishes an event to its arrival at the consumer, with a web process and a
 * worker that are warm and have nothing else to do: between them lie a commit, a notification, a claim and a delivery.
 */
export async function measureLatency(ground: Ground, { bodyBytes, events }: LatencyOptions): Promise<Row[]> {
  const consumer = new Child("bench/arrivals.ts");
  try {
    const { port } = await consumer.said<{ port: number }>();
    const receiverOrigin = `http://127.0.0.1:${port}`;
    const installation = await openInstallation(ground, { receiverOrigin, endpoints: 1 });
    try {
      await installation.start("workers/main.ts");
      const { origin } = await installation.start("web/main.ts");
      const { headers } = installation;
      const load = { type: typeOf(0), bodyBytes, perSecond: PER_SECOND, events, warmUp: WARM_UP };
      const request: ArrivalsRequest = { origin, headers, ...load };
      return rowsOf(await consumer.ask<Arrivals>(request));
    } finally {
      await installation.close();
    }
  } finally {
    await consumer.stop();
  }
}

function rowsOf({ p50Ms, p99Ms, answerP50Ms, missing }: Arrivals): Row[] {
  if (missing > 0) throw new Error(`${missing} events have not arrived`);
  const name = `from publishing to arrival, at ${PER_SECOND}/s`;
  return [
    { name: `${name}, median`, value: p50Ms, unit: "ms", wanted: { atMost: 10 } },
    { name: "  99 of 100", value: p99Ms, unit: "ms", wanted: { atMost: 60 } },
    { name: "  until the publisher had its answer, median", value: answerP50Ms, unit: "ms" },
  ];
}
