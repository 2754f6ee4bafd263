import type { EndpointKey, HealthChangeRow } from "#db/queries/endpoint-health.ts";
import { healthChanges, isOwnFault, type TriedEndpoint } from "#server/domain/endpoint-health.ts";
import { remember } from "./remember.ts";

const KNOWN_FOR_MS = 60_000;
const MAX_KEPT = 50_000;

/** A try; one that is news to the breaker of its endpoint is always written. */
type Tried = TriedEndpoint & { breaker?: unknown };

/** What a batch of tries says of the health of endpoints. */
export interface HealthNews {
  /** Something has to be written: there were failures. */
  changes: HealthChangeRow[];
  /** Nothing but success, at endpoints of which this worker does not know whether failures are noted. */
  unsure: HealthChangeRow[];
}

/**
 * What this worker knows of endpoints that are well: a success of theirs is no news and costs nothing. It believes so for a
 * minute and then looks whether another worker has noted failures, so a success counts a minute late at most. `scale`
 * (RETRY_SCALE) shortens the minute with the windows in which endpoints fail. Times are milliseconds of the epoch.
 */
export class KnownHealthy {
  readonly #forMs: number;
  readonly #known = new Map<string, { until: number; lastSuccessAt: number }>();

  constructor(scale: number) {
    this.#forMs = KNOWN_FOR_MS * Math.min(1, scale);
  }

  /** What tries say that is not known yet. */
  newsOf(tries: readonly Tried[], now: number): HealthNews {
    const telling = new Set<string>();
    const toBreakers = new Set<string>();
    for (const tried of tries) {
      if (tried.breaker) toBreakers.add(tried.endpointId);
      if (!this.#isExpected(tried, now) && !isOwnFault(tried)) telling.add(tried.endpointId);
    }
    if (telling.size === 0) return { changes: [], unsure: [] };
    const rows = healthChanges(tries.filter(({ endpointId }) => telling.has(endpointId))).map((change) => ({
      ...change,
      lastSuccessAt: this.#lastSuccessOf(change.endpointId),
    }));
    const isChange = ({ failures, isGone, endpointId }: HealthChangeRow) =>
      failures > 0 || isGone || toBreakers.has(endpointId);
    return { changes: rows.filter(isChange), unsure: rows.filter((row) => !isChange(row)) };
  }

  /** To be called once it is written: who failed is not well, who only succeeded is. */
  learn({ changes, unsure }: HealthNews, now: number): void {
    for (const { endpointId, failures } of changes)
      if (failures > 0) this.#known.delete(endpointId);
      else this.#keep(endpointId, now);
    for (const { endpointId } of unsure) this.#keep(endpointId, now);
  }

  #isExpected({ endpointId, outcome, breaker }: Tried, now: number): boolean {
    if (outcome !== "ok" || breaker) return false;
    const known = this.#known.get(endpointId);
    if (known === undefined || known.until < now) return false;
    known.lastSuccessAt = now;
    return true;
  }

  #keep(endpointId: string, now: number): void {
    remember(this.#known, MAX_KEPT, endpointId, { until: now + this.#forMs, lastSuccessAt: now });
  }

  #lastSuccessOf(endpointId: string): Date | null {
    const known = this.#known.get(endpointId);
    return known ? new Date(known.lastSuccessAt) : null;
  }
}

/** The rows to be written: what is news, and of what was unsure the endpoints that turned out to be failing. */
export function rowsToWrite(
  { changes, unsure }: HealthNews,
  failing: ReadonlySet<string>,
): HealthChangeRow[] {
  const order = ({ tenantId, endpointId }: EndpointKey) => `${tenantId} ${endpointId}`;
  return [...changes, ...unsure.filter(({ endpointId }) => failing.has(endpointId))].toSorted((a, b) =>
    order(a) < order(b) ? -1 : 1,
  );
}
