import { Gauge } from "prom-client";
import type { Services } from "../context.ts";
import { type AnsweredRequest, httpMetrics } from "./http-metrics.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { publishMetrics } from "./publish-metrics.ts";

export interface WebMetrics extends Metrics {
  /** Counts a request; cheap enough for every one. */
  observe(request: AnsweredRequest): void;
}

/** The figures of a web process: those of any process, the requests it answers, what is published, who waits. */
export function createWebMetrics(
  services: Pick<Services, "db" | "tracer" | "feedWatch" | "publishTally">,
): WebMetrics {
  const { feedWatch, publishTally } = services;
  const metrics = createMetrics(services);
  const { registry } = metrics;
  publishMetrics(registry, publishTally);
  new Gauge({
    name: "posthorn_feed_readers_waiting",
    help: "Readers of the feed that wait for the next event.",
    registers: [registry],
    collect() {
      this.set(feedWatch.waiting);
    },
  });
  return { ...metrics, observe: httpMetrics(registry) };
}
