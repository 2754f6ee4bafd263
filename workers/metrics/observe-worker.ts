import type { Services } from "#server/context.ts";
import { createMetrics, type Metrics } from "#server/metrics/metrics.ts";
import type { InHand } from "../delivery/observer.ts";
import { engineMetrics } from "./engine-metrics.ts";
import type { EngineTally } from "./engine-tally.ts";

/** The figures of a worker process: those of any process, and those of its engine. */
export function observeWorker(
  services: Pick<Services, "db" | "tracer">,
  tally: EngineTally,
  inHand: () => InHand,
): Metrics {
  const metrics = createMetrics(services);
  engineMetrics(metrics.registry, tally, inHand);
  return metrics;
}
