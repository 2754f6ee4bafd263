import type { Db } from "#db/client.ts";
import { addBucketUses } from "#db/queries/rate-buckets.ts";
import { afterTaking, canTake, type Level, levelOf, type Rate, refillMs } from "../domain/rate-limit.ts";
import type { Logger } from "../log/logger.ts";

const SHARE_EVERY_MS = 250;
// Keeps a statement short; so many buckets in use within a quarter of a second are told in several.
const SHARE_AT_ONCE = 2_000;
const SWEEP_EVERY_MS = 1_000;

interface Bucket {
  /** On this process's clock: when the bucket is full, by all that is known here. */
  fullAtMs: number;
  /** What was taken here and the others do not know yet. */
  untoldMs: number;
}

/** What limits the calls of the API. */
export interface RateLimits {
  limiter: RateLimiter;
  /** Units per second, where a tenant has no limit of its own; 0 for no limit. */
  requests: number;
  events: number;
}

export interface RateLimiterOptions {
  db: Db;
  log: Logger;
  /** Milliseconds on any clock that never goes back. */
  nowMs?: () => number;
}

/**
 * Limits how much is taken from named buckets, in memory, so that no request waits for it. While there is traffic the
 * processes of an installation tell each other by the database, four times a second, what they took: together they give
 * at most what each of them gives in such a quarter more than one process alone would. While the database is away each
 * limits by itself.
 */
export class RateLimiter {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #nowMs: () => number;
  /** Those that are not full; an absent one is. */
  readonly #buckets = new Map<string, Bucket>();
  #untoldSinceMs = Number.POSITIVE_INFINITY;
  #sweptAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #sharing: Promise<void> = Promise.resolve();
  /** Whether the last try to share failed. */
  #isAlone = false;
  #closed = false;

  constructor({ db, log, nowMs = () => performance.now() }: RateLimiterOptions) {
    this.#db = db;
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** How many buckets are kept in memory. */
  get size(): number {
    return this.#buckets.size;
  }

  level(name: string, rate: Rate): Level {
    return levelOf(this.#buckets.get(name)?.fullAtMs ?? 0, rate, this.#nowMs());
  }

  /** Takes units if that is allowed, and tells whether it was; `held` as of `canTake`. */
  take(name: string, units: number, rate: Rate, held = 0): boolean {
    const now = this.#nowMs();
    const bucket = this.#buckets.get(name) ?? { fullAtMs: 0, untoldMs: 0 };
    if (!canTake(levelOf(bucket.fullAtMs, rate, now), units, rate, held)) return false;
    bucket.fullAtMs = afterTaking(bucket.fullAtMs, units, rate, now);
    bucket.untoldMs += refillMs(units, rate);
    this.#buckets.set(name, bucket);
    this.#untoldSinceMs = Math.min(this.#untoldSinceMs, now);
    this.#schedule();
    return true;
  }

  /** Tells the others what was taken and learns what they took; resolves, whether or not the database answered. */
  share(): Promise<void> {
    this.#sharing = this.#sharing.then(() => this.#share());
    return this.#sharing;
  }

  /** Stops sharing, once what is under way has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#sharing;
  }

  #schedule(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setTimeout(() => {
      void this.share().finally(() => {
        this.#timer = undefined;
        if (this.#buckets.size > 0) this.#schedule();
      });
    }, SHARE_EVERY_MS);
    this.#timer.unref();
  }

  async #share(): Promise<void> {
    const sentAtMs = this.#nowMs();
    const sinceMs = sentAtMs - this.#untoldSinceMs;
    const untold = [...this.#buckets].filter(([, bucket]) => bucket.untoldMs > 0);
    this.#untoldSinceMs = Number.POSITIVE_INFINITY;
    for (let at = 0; at < untold.length; at += SHARE_AT_ONCE)
      await this.#tell(untold.slice(at, at + SHARE_AT_ONCE), sentAtMs, sinceMs);
    this.#sweep();
  }

  async #tell(untold: [string, Bucket][], sentAtMs: number, sinceMs: number): Promise<void> {
    const uses = untold.map(([bucket, { untoldMs }]) => ({ bucket, costMs: untoldMs }));
    for (const [, bucket] of untold) bucket.untoldMs = 0;
    try {
      for (const { bucket: name, fullInMs } of await addBucketUses(this.#db, uses, sinceMs)) {
        const bucket = this.#buckets.get(name);
        // What is known here can only be added to: of the others one hears late, but one's own part is exact.
        if (bucket) bucket.fullAtMs = Math.max(bucket.fullAtMs, sentAtMs + fullInMs + bucket.untoldMs);
      }
      this.#isAlone = false;
    } catch (error) {
      for (const [at, [, bucket]] of untold.entries()) bucket.untoldMs += uses[at]?.costMs ?? 0;
      this.#untoldSinceMs = Math.min(this.#untoldSinceMs, sentAtMs - sinceMs);
      if (!this.#isAlone)
        this.#log.warn({ err: error }, "rate limits are not shared: this process limits by itself");
      this.#isAlone = true;
    }
  }

  /** Forgets what is full again. */
  #sweep(): void {
    const now = this.#nowMs();
    if (now < this.#sweptAtMs + SWEEP_EVERY_MS) return;
    this.#sweptAtMs = now;
    for (const [name, { fullAtMs, untoldMs }] of this.#buckets)
      if (fullAtMs <= now && untoldMs === 0) this.#buckets.delete(name);
  }
}
