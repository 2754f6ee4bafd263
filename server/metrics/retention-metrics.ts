import { Gauge, type Registry } from "prom-client";
import type { RetentionFigures } from "#db/queries/retention-figures.ts";

const RESULTS = ["done", "partial", "refused", "failed"] as const;

/** Figures of what is kept, and of the last run of retention. What there is not has no sample. */
export function retentionMetrics(
  registry: Registry,
  read: () => Promise<RetentionFigures | undefined>,
): void {
  new Gauge({
    name: "posthorn_oldest_partition_timestamp_seconds",
    help: "The day of the oldest partition, by table.",
    labelNames: ["table"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { table, day } of (await read())?.oldestPartitions ?? []) this.set({ table }, day / 1000);
    },
  });
  new Gauge({
    name: "posthorn_oldest_event_timestamp_seconds",
    help: "When the oldest event that is kept was stored.",
    registers: [registry],
    async collect() {
      const at = (await read())?.oldestEvent;
      if (at === undefined) this.remove();
      else this.set(at / 1000);
    },
  });
  new Gauge({
    name: "posthorn_retention_last_run_timestamp_seconds",
    help: "When retention last ran.",
    registers: [registry],
    async collect() {
      const at = (await read())?.last?.ranAt;
      if (at === undefined) this.remove();
      else this.set(at.getTime() / 1000);
    },
  });
  new Gauge({
    name: "posthorn_retention_last_run_result",
    help: "1 for the result of the last run of retention, 0 for the others; partial: a table was in use all the time.",
    labelNames: ["result"],
    registers: [registry],
    async collect() {
      const last = (await read())?.last;
      this.reset();
      for (const result of last ? RESULTS : []) this.set({ result }, result === last?.result ? 1 : 0);
    },
  });
}
