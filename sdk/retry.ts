import { ApiProblem } from "./api-problem.ts";

/** How often and how long a call is repeated. */
export interface RetryOptions {
  /** Tries in all, the first included; default 4, 1 repeats nothing. */
  attempts?: number;
  /** The longest wait before the second try; each further one may wait twice as long. Default 250. */
  baseDelayMs?: number;
  /** The longest wait of our own making; default 8,000. */
  maxDelayMs?: number;
  /** A Retry-After that asks for more ends the call instead; default 60,000. */
  maxRetryAfterMs?: number;
}

const DEFAULTS = { attempts: 4, baseDelayMs: 250, maxDelayMs: 8_000, maxRetryAfterMs: 60_000 };

/**
 * Milliseconds to wait before the next try, after `made` tries; `null` when the error is the result. What is sure to
 * have done nothing is always repeated. What may have been done is repeated when doing it twice is doing it once
 * (`isRepeatable`). The wait is that of Retry-After, else `chance` (0 to 1) of a bound that doubles.
 */
export function nextDelay(
  error: unknown,
  { made, isRepeatable, chance }: { made: number; isRepeatable: boolean; chance: number },
  options: RetryOptions = {},
): number | null {
  const { attempts, baseDelayMs, maxDelayMs, maxRetryAfterMs } = { ...DEFAULTS, ...options };
  if (!(error instanceof ApiProblem) || made >= attempts) return null;
  if (!isRefusedUntouched(error) && !(isRepeatable && isUndecided(error))) return null;
  if (error.retryAfterMs !== null) return error.retryAfterMs > maxRetryAfterMs ? null : error.retryAfterMs;
  return chance * Math.min(maxDelayMs, baseDelayMs * 2 ** (made - 1));
}

/** Refused before anything was done, for a reason that passes. */
const isRefusedUntouched = ({ status, slug }: ApiProblem) =>
  status === 429 || slug === "idempotency-in-progress";

/** Nobody knows whether it was done: no answer, or one of a server or a gateway in trouble. */
const isUndecided = ({ status }: ApiProblem) => status === 0 || [502, 503, 504].includes(status);

/** Waits; rejects with the reason of `signal` when that aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
