import type { PgBoss } from "pg-boss";
import type { FailureClass } from "#contracts/deliveries.ts";
import { DISABLE_AFTER_BLOCKED } from "#contracts/endpoint-health.ts";
import { toId } from "#contracts/ids.ts";
import { isOperational, type OperationalEvent } from "#contracts/operational-events.ts";
import type { Db, Tx } from "#db/client.ts";
import { changeHealth, type EndpointKey, listFailing } from "#db/queries/endpoint-health.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import { applyHealth } from "#server/endpoints/apply-health.ts";
import { storeOperational } from "#server/events/store-operational.ts";
import type { Logger } from "#server/log/logger.ts";
import type { WakeWorkers } from "#server/queue/wake-workers.ts";
import type { Breakers } from "./breakers.ts";
import { KnownHealthy, rowsToWrite } from "./known-healthy.ts";
import type { Result } from "./settlement.ts";
import { followBreaker, storeBreakers } from "./store-breakers.ts";

export interface AftermathDeps {
  db: Db;
  boss: PgBoss;
  log: Logger;
  retryScale: number;
  now(): Date;
  wakeWorkers: WakeWorkers;
  /** Are told what has become of them, once it is committed. */
  breakers: Pick<Breakers, "learn">;
  /** What waited for an endpoint may begin. */
  onBegun(): void;
}

/** What a delivery that has failed for good was, and why it did. */
export type FailedDelivery = Pick<
  SettleRow,
  "tenantId" | "deliveryId" | "eventId" | "eventType" | "endpointId"
> & {
  attempts: number;
  failureClass: string | null;
  errorCode: string | null;
};

/**
 * What follows from results beyond their deliveries, in the transaction that writes them: how endpoints fare, and events
 * about deliveries that have failed for good. Where all is well it costs nothing. What the health of an endpoint asks for at
 * once is done right after the commit; should that be lost, the health job does it.
 */
export class Aftermath {
  readonly #deps: AftermathDeps;
  readonly #known: KnownHealthy;
  readonly #applying = new Set<Promise<void>>();

  constructor(deps: AftermathDeps) {
    this.#deps = deps;
    this.#known = new KnownHealthy(deps.retryScale);
  }

  /** Must be the last that `tx` does: it takes the counters of tenants. `results` are those that counted. */
  async store(tx: Tx, results: readonly Result[]): Promise<void> {
    await this.#storeHealth(tx, results);
    if (results.some(({ breaker }) => breaker)) await this.#storeBreakers(tx, results);
    const failed = results.filter(({ status }) => status === "failed");
    if (failed.length > 0)
      await tellOfFailed(
        tx,
        this.#deps,
        failed.map((row) => ({ ...row, attempts: row.number })),
      );
  }

  /** Settles when nothing is being done about endpoints. */
  async idle(): Promise<void> {
    await Promise.all(this.#applying);
  }

  async #storeHealth(tx: Tx, results: readonly Result[]): Promise<void> {
    const news = this.#known.newsOf(results, Date.now());
    const { changes, unsure } = news;
    if (changes.length + unsure.length === 0) return;
    const failing = unsure.length > 0 ? await listFailing(tx, unsure) : [];
    const rows = rowsToWrite(news, new Set(failing.map(({ endpointId }) => endpointId)));
    const urgent = rows.length > 0 ? await changeHealth(tx, rows, DISABLE_AFTER_BLOCKED) : [];
    tx.afterCommit(() => {
      this.#known.learn(news, Date.now());
      for (const key of urgent) this.#apply(key);
    });
  }

  async #storeBreakers(tx: Tx, results: readonly Result[]): Promise<void> {
    const { db, log, retryScale: scale, breakers, onBegun } = this.#deps;
    const { all, changed } = await storeBreakers(tx, results, { random: Math.random, scale });
    tx.afterCommit(() => {
      breakers.learn(all);
      for (const row of changed) {
        const { state, until, opens } = row;
        log.warn({ ...idsOf(row), state, until, opens }, "circuit breaker");
        // Should it be lost, what waits is looked at when it is due, and put off again or sent.
        this.#doing(
          followBreaker(db, row).then(() => {
            if (state === "closed") onBegun();
          }),
          row,
        );
      }
    });
  }

  #apply(key: EndpointKey): void {
    const { log } = this.#deps;
    this.#doing(
      applyHealth(this.#deps, key).then((verdict) => {
        if (verdict) log.warn({ ...idsOf(key), ...verdict }, "acted on the health of an endpoint");
      }),
      key,
    );
  }

  #doing(work: Promise<void>, key: EndpointKey): void {
    const { log } = this.#deps;
    const doing = work
      .catch((err: unknown) => log.warn({ err, ...idsOf(key) }, "left to be done later"))
      .finally(() => this.#applying.delete(doing));
    this.#applying.add(doing);
  }
}

const idsOf = ({ endpointId, tenantId }: EndpointKey) => ({
  endpoint: toId("endpoint", endpointId),
  tenant: toId("tenant", tenantId),
});

/**
 * Publishes an event for each delivery that has failed for good, tenant by tenant in the order of their ids; for one of an
 * event about Posthorn itself none, or there would be no end. Must be the last thing that `tx` does.
 */
export async function tellOfFailed(
  tx: Tx,
  deps: Pick<AftermathDeps, "boss" | "now" | "wakeWorkers">,
  failed: readonly FailedDelivery[],
): Promise<void> {
  const telling = failed.filter(({ eventType }) => !isOperational(eventType));
  const byTenant = [...Map.groupBy(telling, ({ tenantId }) => tenantId)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  for (const [tenantId, mine] of byTenant)
    await storeOperational(
      tx,
      deps,
      tenantId,
      mine.map((row) => eventOf(row, deps.now())),
    );
}

const eventOf = (row: FailedDelivery, at: Date): OperationalEvent => ({
  type: "posthorn.delivery.failed",
  data: {
    delivery_id: toId("delivery", row.deliveryId),
    event_id: toId("event", row.eventId),
    event_type: row.eventType,
    endpoint_id: toId("endpoint", row.endpointId),
    attempts: row.attempts,
    failure_class: (row.failureClass ?? "permanent") as FailureClass,
    failure_reason: row.errorCode ?? "internal",
    failed_at: at.toISOString(),
  },
});
