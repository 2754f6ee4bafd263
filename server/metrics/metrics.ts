import { collectDefaultMetrics, Registry } from "prom-client";
import type { Services } from "../context.ts";
import { databaseFigures, type ReadFigures } from "./database-figures.ts";
import { databaseMetrics } from "./database-metrics.ts";
import { poolMetrics } from "./pool-metrics.ts";
import { tracingMetrics } from "./tracing-metrics.ts";

/** The figures of one process. */
export interface Metrics {
  /** Where more figures are registered. */
  registry: Registry;
  /** What the database tells of the work in it. */
  figures: ReadFigures;
  /** All figures in Prometheus' text format, read now; `contentType` names its version. */
  render(): Promise<string>;
  contentType: string;
}

/** Starts to measure this process: event loop, memory, garbage collection, pool, spans; and the work in its database. */
export function createMetrics({ db, tracer }: Pick<Services, "db" | "tracer">): Metrics {
  const registry = new Registry();
  const figures = databaseFigures(db);
  collectDefaultMetrics({ register: registry });
  poolMetrics(registry, db);
  databaseMetrics(registry, figures);
  tracingMetrics(registry, () => tracer.figures());
  return { registry, figures, render: () => registry.metrics(), contentType: registry.contentType };
}
