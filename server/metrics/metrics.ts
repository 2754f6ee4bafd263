import { collectDefaultMetrics, Registry } from "prom-client";
import type { Db } from "#db/client.ts";
import { databaseFigures } from "./database-figures.ts";
import { databaseMetrics } from "./database-metrics.ts";
import { type AnsweredRequest, httpMetrics } from "./http-metrics.ts";
import { poolMetrics } from "./pool-metrics.ts";

/** The figures of one web process. */
export interface Metrics {
  /** Counts a request; cheap enough for every one. */
  observe(request: AnsweredRequest): void;
  /** All figures in Prometheus' text format, read now; `contentType` names its version. */
  render(): Promise<string>;
  contentType: string;
}

/** Starts to measure this process: event loop, memory, garbage collection, its pool; and the work in its database. */
export function createMetrics(db: Db): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  poolMetrics(registry, db);
  databaseMetrics(registry, databaseFigures(db));
  return {
    observe: httpMetrics(registry),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
