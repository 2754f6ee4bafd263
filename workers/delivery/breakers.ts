import type { BreakerVerdict } from "#contracts/circuit-breaker.ts";
import type { Db } from "#db/client.ts";
import { type BreakerRow, listShut, takeProbes } from "#db/queries/circuit-breakers.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import {
  type BreakerNews,
  countStrike,
  isTooMany,
  openForMs,
  type Span,
  type Strikes,
} from "#server/domain/circuit-breaker.ts";
import { classify } from "#server/domain/outcome.ts";
import { parseRetryAfter } from "#server/domain/retry-schedule.ts";
import type { Logger } from "#server/log/logger.ts";
import type { Result, Try } from "./settlement.ts";

export interface BreakersDeps {
  db: Db;
  log: Logger;
  retryScale: number;
}

/** A try that has ended. */
export interface BreakerTry {
  endpointId: string;
  verdict: BreakerVerdict;
  /** As Retry-After has it; 0 when there is none. */
  askedMs: number;
  /** It was the probe of its endpoint. */
  isProbe: boolean;
  span: Span;
}

/** Who asks whether something may be sent to an endpoint whose breaker is not closed. */
export interface Ask {
  tenantId: string;
  endpointId: string;
  timeoutMs: number;
  isAsked: boolean;
}

/** Whether a delivery may be sent: freely, alone as the probe, or not before some time. */
export type Passage = "free" | "probe" | { until: Date };

interface Known {
  state: string;
  /** In milliseconds of the epoch. */
  until: number;
  opens: number;
  /** This worker has seen it fail, and is about to write it: nobody else knows yet. */
  isOurs: boolean;
  /** When it was learned, on the clock of `performance.now()`. */
  at: number;
}

const MAX_KEPT = 20_000;
/** For a probe to begin and its result to be written, beyond the endpoint's timeout. */
const PROBE_SLACK_MS = 15_000;
const AGAIN_AFTER_MS = 1_000;

/**
 * What this worker knows of the circuit breakers of endpoints. The truth is in the database, where all workers have it from;
 * what is known here is which endpoints to ask about, so that those that are well cost nothing.
 */
export class Breakers {
  readonly #deps: BreakersDeps;
  readonly #strikes = new Map<string, Strikes>();
  readonly #parked = new Set<string>();
  #known = new Map<string, Known>();

  constructor(deps: BreakersDeps) {
    this.#deps = deps;
  }

  /** No breaker is known not to be closed. */
  get isQuiet(): boolean {
    return this.#known.size === 0;
  }

  isShut(endpointId: string): boolean {
    return this.#known.has(endpointId);
  }

  /** When something may be sent to an endpoint again, as far as this worker knows. */
  shutUntil(endpointId: string): Date {
    return new Date(this.#known.get(endpointId)?.until ?? 0);
  }

  /** Endpoints at which a probe is under way: what waits for them need not be fetched. */
  probing(now: number): string[] {
    return [...this.#known].flatMap(([id, { state, until }]) =>
      state === "half_open" && until > now ? [id] : [],
    );
  }

  /** Reads which breakers are not closed; gives the endpoints of which that is new. */
  async refresh(): Promise<string[]> {
    const beganAt = performance.now();
    const rows = await listShut(this.#deps.db, MAX_KEPT);
    const before = this.#known;
    // What was learned meanwhile is newer than what was read.
    const kept = [...before].filter(([, { isOurs, until, at }]) =>
      isOurs ? until > Date.now() : at >= beganAt,
    );
    this.#known = new Map([...rows.map((row) => [row.endpointId, knownOf(row)] as const), ...kept]);
    return rows.map((row) => row.endpointId).filter((id) => !before.has(id));
  }

  /** Counts a try; gives what is to be written of it, if anything. */
  count(tried: BreakerTry): BreakerNews | undefined {
    const { endpointId, verdict, askedMs, isProbe } = tried;
    const news = isProbe ? newsOfProbe(verdict, askedMs) : this.#strike(tried);
    if (!news) return undefined;
    this.#strikes.delete(endpointId);
    if (news.kind === "answered") this.#known.delete(endpointId);
    else this.#shut(endpointId, news);
    return news;
  }

  /** Something has been put off for an endpoint. */
  parked(endpointId: string): void {
    this.#parked.add(endpointId);
  }

  /** Endpoints for which this worker has put something off and whose breakers are closed by now; each is given once. */
  reopened(): string[] {
    const ids = [...this.#parked].filter((id) => !this.#known.has(id));
    for (const id of ids) this.#parked.delete(id);
    return ids;
  }

  /** What has been written of breakers. */
  learn(rows: readonly BreakerRow[]): void {
    for (const row of rows)
      if (row.state === "closed") this.#known.delete(row.endpointId);
      else this.#known.set(row.endpointId, knownOf(row));
  }

  /** What may be sent to each of some endpoints, each of them once. */
  async ask(asks: readonly Ask[]): Promise<Map<string, Passage>> {
    const passages = new Map<string, Passage>();
    const inDoubt = asks.filter(({ endpointId }) => {
      const known = this.#known.get(endpointId);
      const isOurs = known?.isOurs === true && known.until > Date.now();
      if (isOurs) passages.set(endpointId, { until: new Date(known.until) });
      return !isOurs;
    });
    if (inDoubt.length === 0) return passages;
    try {
      const requests = inDoubt.map((ask) => ({ ...ask, leaseMs: ask.timeoutMs + PROBE_SLACK_MS }));
      const rows = await takeProbes(this.#deps.db, requests);
      this.learn(rows);
      const shut = new Map(rows.map((row) => [row.endpointId, row]));
      for (const { endpointId } of inDoubt) {
        const row = shut.get(endpointId);
        if (!row) this.#known.delete(endpointId);
        passages.set(endpointId, row ? (row.isTaken ? "probe" : { until: laterThan(row) }) : "free");
      }
    } catch (err) {
      this.#deps.log.warn({ err }, "circuit breakers could not be read");
      const until = new Date(Date.now() + AGAIN_AFTER_MS);
      for (const { endpointId } of inDoubt) passages.set(endpointId, { until });
    }
    return passages;
  }

  #strike({ endpointId, verdict, askedMs, span }: BreakerTry): BreakerNews | undefined {
    if (verdict === "answers") {
      if (this.#known.has(endpointId)) return { kind: "answered" };
      if (this.#strikes.size === 0) return undefined;
    }
    // What was under way when the breaker opened says nothing new.
    if (this.#known.has(endpointId)) return undefined;
    const before = this.#strikes.get(endpointId);
    const strikes = countStrike(before, verdict, span);
    if (strikes === undefined) this.#strikes.delete(endpointId);
    else {
      if (!before && this.#strikes.size >= MAX_KEPT) this.#strikes.clear();
      this.#strikes.set(endpointId, strikes);
    }
    return verdict === "fails" && strikes && isTooMany(strikes, span)
      ? { kind: "tripped", askedMs }
      : undefined;
  }

  /** Nothing more is sent from here, before it is written. */
  #shut(endpointId: string, news: Exclude<BreakerNews, { kind: "answered" }>): void {
    const before = this.#known.get(endpointId)?.opens ?? 0;
    const opens = news.kind === "probe_undecided" ? before : before + 1;
    const draw = { random: 0.5, scale: this.#deps.retryScale };
    const until = Date.now() + Math.max(1, openForMs(opens, news.askedMs, draw));
    this.#known.set(endpointId, { state: "open", until, opens, isOurs: true, at: performance.now() });
  }
}

/** A result with what the breaker of its endpoint is to be told of it, if anything. */
export function toBreaker(
  breakers: Pick<Breakers, "count">,
  row: SettleRow,
  { tried, isProbe }: { tried: Try; isProbe: boolean },
): { row: Result; breaker: BreakerNews | undefined } {
  const beganAt = row.startedAt.getTime();
  const of = { endpointId: row.endpointId, isProbe, span: { beganAt, endedAt: beganAt + row.durationMs } };
  const ok = { ...of, verdict: "answers" as const, askedMs: 0 };
  const breaker = breakers.count(row.outcome === "ok" ? ok : { ...of, ...verdictOf(tried) });
  return { row: breaker ? { ...row, breaker } : row, breaker };
}

function verdictOf({ result }: Try): { verdict: BreakerVerdict; askedMs: number } {
  const { row } = classify(result.result);
  const askedMs = row.honoursRetryAfter ? parseRetryAfter(result.retryAfter, new Date()) : null;
  return { verdict: row.breaker, askedMs: askedMs ?? 0 };
}

function newsOfProbe(verdict: BreakerVerdict, askedMs: number): BreakerNews {
  if (verdict === "answers") return { kind: "answered" };
  return { kind: verdict === "fails" ? "probe_failed" : "probe_undecided", askedMs };
}

const knownOf = ({ state, opens, inMs }: BreakerRow): Known => ({
  state,
  until: Date.now() + inMs,
  opens,
  isOurs: false,
  at: performance.now(),
});

/** By the clock of the database, which begins jobs; not before somebody else's probe, begun this moment, can be over. */
const laterThan = ({ until, inMs, now }: BreakerRow): Date =>
  inMs > 0 && until ? until : new Date(now.getTime() + AGAIN_AFTER_MS);
