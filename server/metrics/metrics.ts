import { collectDefaultMetrics, Registry } from "prom-client";
import type { Db } from "#db/client.ts";
import { databaseFigures, type ReadFigures } from "./database-figures.ts";
import { databaseMetrics } from "./database-metrics.ts";
import { poolMetrics } from "./pool-metrics.ts";

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

/** Starts to measure this process: event loop, memory, garbage collection, its pool; and the work in its database. */
export function createMetrics(db: Db): Metrics {
  const registry = new Registry();
  const figures = databaseFigures(db);
  collectDefaultMetrics({ register: registry });
  poolMetrics(registry, db);
  databaseMetrics(registry, figures);
  return { registry, figures, render: () => registry.metrics(), contentType: registry.contentType };
}
