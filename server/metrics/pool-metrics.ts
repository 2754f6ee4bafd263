import { Gauge, type Registry } from "prom-client";
import type { Db } from "#db/client.ts";

/** Figures of this process's connections to the database, as they are at the scrape. */
export function poolMetrics(registry: Registry, { pool }: Pick<Db, "pool">): void {
  new Gauge({
    name: "posthorn_db_pool_connections",
    help: "Connections to the database that are open, by state.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: "posthorn_db_pool_waiting",
    help: "Callers that wait for a connection to the database.",
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
  new Gauge({
    name: "posthorn_db_pool_max",
    help: "Connections to the database that may be open at once.",
    registers: [registry],
    collect() {
      this.set(pool.options.max);
    },
  });
}
