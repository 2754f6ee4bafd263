import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../log/logger.ts";
import { otlpJson, type SpanSource } from "./otlp-json.ts";
import type { FinishedSpan, SpanFigures, Tracer } from "./tracer.ts";

/** Where spans are told, and how many of them. */
export interface TracingSettings {
  /** The collector's URL for traces. */
  url: string;
  headers: Readonly<Record<string, string>>;
  service: string;
  /** Share of the traces that are recorded, from 0 to 1. */
  sampleRatio: number;
}

export interface OtlpOptions extends TracingSettings {
  version: string;
  log: Logger;
  /** Bounds; the defaults are made for thousands of spans a second. */
  maxWaiting?: number;
  maxBatch?: number;
  intervalMs?: number;
  timeoutMs?: number;
  firstPauseMs?: number;
  closeMs?: number;
}

const LONGEST_PAUSE_MS = 30_000;
const LOG_AT_MOST_EVERY_MS = 60_000;
/** Answers after which the same may be sent again (OTLP 1.5 "Failures"). */
const TRANSIENT = new Set([429, 502, 503, 504]);

/** 13 hex digits are what a number holds exactly; the last of a trace id are random, in UUIDs too. */
const RANDOM_DIGITS = 13;

/**
 * Tells spans to an OpenTelemetry collector (OTLP over HTTP, JSON). What has no room is dropped and counted: nobody ever
 * waits for a collector. One request is under way at a time; what it may send again it does, after a pause.
 */
export class OtlpTracer implements Tracer {
  readonly isEnabled = true;
  readonly #options: Required<OtlpOptions>;
  readonly #source: SpanSource;
  readonly #threshold: number;
  readonly #closing = new AbortController();
  #waiting: FinishedSpan[] = [];
  #figures: SpanFigures = { exported: 0, dropped: { full: 0, failed: 0 } };
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OtlpOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#source = { service: options.service, version: options.version };
    this.#threshold = (1 - options.sampleRatio) * 16 ** RANDOM_DIGITS;
  }

  samples(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) >= this.#threshold;
  }

  record(span: FinishedSpan): void {
    const { maxWaiting, maxBatch, intervalMs } = this.#options;
    if (this.#waiting.length >= maxWaiting || this.#closing.signal.aborted) {
      this.#figures.dropped.full++;
      return;
    }
    this.#waiting.push(span);
    if (this.#sending !== undefined) return;
    if (this.#waiting.length >= maxBatch) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), intervalMs).unref();
  }

  figures(): SpanFigures {
    return structuredClone(this.#figures);
  }

  async close(): Promise<void> {
    const late = setTimeout(() => this.#closing.abort(), this.#options.closeMs);
    while (this.#waiting.length > 0 && !this.#closing.signal.aborted) {
      this.#send();
      await this.#sending;
    }
    await this.#sending;
    clearTimeout(late);
    this.#closing.abort();
    this.#figures.dropped.full += this.#waiting.length;
    this.#waiting = [];
  }

  /** Sends what waits, until less than a batch does. */
  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#drain().finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0 && !this.#closing.signal.aborted)
        this.#timer ??= setTimeout(() => this.#send(), this.#options.intervalMs).unref();
    });
  }

  async #drain(): Promise<void> {
    const { maxBatch } = this.#options;
    do {
      const batch = this.#waiting.splice(0, maxBatch);
      await this.#deliver(batch);
    } while (this.#waiting.length >= maxBatch && !this.#closing.signal.aborted);
  }

  /** Sends a batch until the collector has taken or refused it. */
  async #deliver(batch: readonly FinishedSpan[]): Promise<void> {
    const body = otlpJson(this.#source, batch);
    for (let pauseMs = this.#options.firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const answer = await this.#post(body);
      if (typeof answer === "number") {
        const refused = Math.min(answer, batch.length);
        this.#figures.dropped.failed += refused;
        this.#figures.exported += batch.length - refused;
        return;
      }
      if (this.#closing.signal.aborted || answer.isFinal) {
        this.#figures.dropped.failed += batch.length;
        return;
      }
      await wait(Math.max(pauseMs, answer.retryAfterMs), undefined, { signal: this.#closing.signal }).catch(
        () => {},
      );
    }
  }

  /** How many spans of a request the collector refused; or that it did not take it. */
  async #post(body: string): Promise<number | { isFinal: boolean; retryAfterMs: number }> {
    const { url, headers, timeoutMs } = this.#options;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        redirect: "manual",
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closing.signal]),
      });
      const text = await response.text();
      if (response.ok) return refusedIn(text);
      this.#complain({ status: response.status });
      const seconds = Number(response.headers.get("retry-after") ?? 0);
      const retryAfterMs = Math.min((seconds > 0 ? seconds : 0) * 1000, LONGEST_PAUSE_MS);
      return { isFinal: !TRANSIENT.has(response.status), retryAfterMs };
    } catch (error) {
      this.#complain({ err: error });
      return { isFinal: false, retryAfterMs: 0 };
    }
  }

  #complain(why: object): void {
    if (performance.now() - this.#loggedAt < LOG_AT_MOST_EVERY_MS) return;
    this.#loggedAt = performance.now();
    this.#options.log.warn({ ...why, spans: this.#figures }, "the trace collector does not take spans");
  }
}

const DEFAULTS = {
  ...{ maxWaiting: 8_192, maxBatch: 512, intervalMs: 1_000 },
  ...{ timeoutMs: 10_000, firstPauseMs: 1_000, closeMs: 2_000 },
};

/** `partialSuccess.rejectedSpans` of an answer; 0 where it says nothing that is understood. */
function refusedIn(text: string): number {
  try {
    return Math.max(0, Number(JSON.parse(text)?.partialSuccess?.rejectedSpans ?? 0)) || 0;
  } catch {
    return 0;
  }
}
