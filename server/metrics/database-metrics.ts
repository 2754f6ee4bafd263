import { Gauge, type Registry } from "prom-client";
import type { ReadFigures } from "./database-figures.ts";
import { retentionMetrics } from "./retention-metrics.ts";

/** Figures of the work in the database. One that could not be read has no sample, rather than an old or a false one. */
export function databaseMetrics(registry: Registry, read: ReadFigures): void {
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
    help: "Seconds since the oldest due delivery should have been sent, whatever it waits for; 0 when none is due.",
    registers: [registry],
    async collect() {
      setOrRemove(this, (await read()).pending?.oldestDueSeconds);
    },
  });
  new Gauge({
    name: "posthorn_oldest_paused_seconds",
    help: "Seconds since the oldest delivery that is held for a paused endpoint was made; 0 when none is.",
    registers: [registry],
    async collect() {
      setOrRemove(this, (await read()).pending?.oldestPausedSeconds);
    },
  });
  new Gauge({
    name: "posthorn_workers_alive",
    help: "Workers that hold their lease.",
    registers: [registry],
    async collect() {
      setOrRemove(this, (await read()).workers);
    },
  });
  new Gauge({
    name: "posthorn_deliveries",
    help: "Deliveries that are not delivered, by status; pending ones as due, scheduled or paused.",
    labelNames: ["status"],
    registers: [registry],
    async collect() {
      const { pending, ended } = await read();
      this.reset();
      const { due, scheduled, paused } = pending ?? {};
      for (const [status, count] of Object.entries({ due, scheduled, paused, ...ended }))
        if (count !== undefined) this.set({ status }, count);
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
  breakerMetrics(registry, read);
  retentionMetrics(registry, async () => (await read()).retention);
}

function breakerMetrics(registry: Registry, read: ReadFigures): void {
  new Gauge({
    name: "posthorn_circuit_breakers",
    help: "Endpoints that failed again and again and are sent nothing, by state: open, or half_open while one delivery tries.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const { breakers } = await read();
      this.reset();
      for (const [state, count] of Object.entries(breakers ?? {})) this.set({ state }, count);
    },
  });
}

/** `reset` would leave a 0 in a gauge without labels. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
