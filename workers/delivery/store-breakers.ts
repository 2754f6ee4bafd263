import type { BreakerState } from "#contracts/circuit-breaker.ts";
import type { Conn, Tx } from "#db/client.ts";
import {
  type BreakerRow,
  letGroupBegin,
  lockBreakers,
  putOffGroup,
  setBreaker,
} from "#db/queries/circuit-breakers.ts";
import { type BreakerNews, nextBreaker } from "#server/domain/circuit-breaker.ts";
import { QUEUES } from "#server/queue/queues.ts";
import type { Result } from "./settlement.ts";

const SLOW = QUEUES.deliverSlow.name;

/** What came of news about breakers: how they are now, and which of them it has changed. */
export interface StoredBreakers {
  all: BreakerRow[];
  changed: BreakerRow[];
}

/** Writes what tries have to say to the breakers of their endpoints, whose health is written already. */
export async function storeBreakers(
  tx: Tx,
  results: readonly Result[],
  draw: { random(): number; scale: number },
): Promise<StoredBreakers> {
  const news = new Map<string, BreakerNews>();
  for (const { endpointId, breaker } of results)
    if (breaker && weight(breaker) >= weight(news.get(endpointId))) news.set(endpointId, breaker);
  const order = ({ tenantId, endpointId }: Result) => `${tenantId} ${endpointId}`;
  const keys = [...new Map(results.map((row) => [row.endpointId, row])).values()]
    .filter(({ endpointId }) => news.has(endpointId))
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  const all: BreakerRow[] = [];
  const changed: BreakerRow[] = [];
  for (const row of await lockBreakers(tx, keys)) {
    const { now } = row;
    const before = { state: row.state as BreakerState, until: row.until, opens: row.opens };
    const next = nextBreaker(before, news.get(row.endpointId) as BreakerNews, {
      now,
      random: draw.random(),
      scale: draw.scale,
    });
    const after = next ? { ...row, ...next, inMs: (next.until?.getTime() ?? 0) - now.getTime() } : row;
    all.push(after);
    if (!next) continue;
    await setBreaker(tx, after);
    changed.push(after);
  }
  return { all, changed };
}

/** An answer is the last word: what failed meanwhile was under way before it. */
function weight(news: BreakerNews | undefined): number {
  if (!news) return 0;
  return news.kind === "answered" ? 3 : news.kind === "tripped" ? 1 : 2;
}

/** What waits for an endpoint in the slow queue follows its breaker: it is put off, or it may begin. */
export function followBreaker(conn: Conn, { endpointId, state, until }: BreakerRow): Promise<void> {
  return state === "open" && until
    ? putOffGroup(conn, SLOW, endpointId, until)
    : letGroupBegin(conn, SLOW, endpointId);
}
