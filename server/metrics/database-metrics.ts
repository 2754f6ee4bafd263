import { Gauge, type Registry } from "prom-client";
import type { DatabaseFigures } from "./database-figures.ts";

/** Figures of the work in the database. One that could not be read has no sample, rather than an old or a false one. */
export function databaseMetrics(registry: Registry, read: () => Promise<DatabaseFigures>): void {
  new Gauge({
    name: "posthorn_database_up",
    help: "1 when the database answered every question of this scrape in time, else 0.",
    registers: [registry],
    async collect() {
      const all = Object.values(await read());
      this.set(all.every((figure) => figure !== undefined) ? 1 : 0);
    },
  });
  new Gauge({
    name: "posthorn_oldest_due_seconds",
    help: "Seconds since the oldest due delivery should have been sent; 0 when none waits.",
    registers: [registry],
    async collect() {
      setOrRemove(this, (await read()).oldestDueSeconds);
    },
  });
  new Gauge({
    name: "posthorn_deliveries_waiting",
    help: "Deliveries that are due and that no worker has taken, by queue; counting stops at 5,000 jobs of a queue.",
    labelNames: ["queue"],
    registers: [registry],
    async collect() {
      const { waiting } = await read();
      this.reset();
      for (const { queue, deliveries } of waiting ?? []) this.set({ queue }, deliveries);
    },
  });
  new Gauge({
    name: "posthorn_claims_held",
    help: "Jobs that workers hold.",
    registers: [registry],
    async collect() {
      setOrRemove(this, (await read()).claims);
    },
  });
}

/** `reset` would leave a 0 in a gauge without labels. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
