import type { Operation } from "#contracts/operation.ts";
import { ApiProblem, problemOf, unreachable } from "./api-problem.ts";
import { type AnyInput, requestOf, type SentRequest } from "./request-of.ts";
import { nextDelay, pause, type RetryOptions } from "./retry.ts";
import type { Answer } from "./types.ts";

export interface TransportOptions {
  /** Where the API is: `https://host/api/v1`. */
  baseUrl: string;
  /** Added to every request. */
  headers?: Readonly<Record<string, string>>;
  fetch?: typeof globalThis.fetch;
  /** Passed to `fetch` with every request. */
  init?: Pick<RequestInit, "credentials" | "cache">;
  /** How long one try may take, a wait of the event feed aside; default 30,000. */
  timeoutMs?: number;
  retry?: RetryOptions;
}

const TIMEOUT_MS = 30_000;

/**
 * Makes a call of an operation, and repeats it where that is safe. Throws `ApiProblem` for an answer that is not a
 * success, for one that cannot be read, and when none comes in time; rejects with the reason of `signal` when it aborts.
 */
export async function callOperation(
  options: TransportOptions,
  operation: Operation,
  input: AnyInput,
): Promise<Answer<unknown>> {
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const request = requestOf(
    operation,
    { ...input, headers: { ...options.headers, ...input.headers } },
    baseUrl,
  );
  const isRepeatable = doneOnce(request);
  const waitMs = Number(input.query?.wait ?? 0) * 1000;
  const timeoutMs = (options.timeoutMs ?? TIMEOUT_MS) + (Number.isFinite(waitMs) ? waitMs : 0);
  for (let made = 1; ; made++) {
    try {
      return await sendOnce(options, request, { signal: input.signal, timeoutMs });
    } catch (error) {
      const delayMs = nextDelay(error, { made, isRepeatable, chance: Math.random() }, options.retry);
      if (delayMs === null) throw error;
      await pause(delayMs, input.signal);
    }
  }
}

/**
 * Whether sending the request twice does it once. A POST has its key. With If-Match another change finds that of the
 * first try in its way, and PATCH is not idempotent (RFC 5789 §2).
 */
function doneOnce({ method, headers }: SentRequest): boolean {
  return method === "POST" || (method !== "PATCH" && !headers.has("if-match"));
}

/** Sends a request once: JSON in, JSON out, everything else an `ApiProblem`. */
export async function sendOnce(
  { fetch = globalThis.fetch, init }: Pick<TransportOptions, "fetch" | "init">,
  { method, url, headers, body }: SentRequest,
  { signal, timeoutMs = TIMEOUT_MS }: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<Answer<unknown>> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    const response = await fetch(url, {
      ...init,
      ...{ method, headers, signal: stop },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const data = parsed(text);
    if (!response.ok && response.status !== 304) throw problemOf(response, data, Date.now());
    if (text !== "" && data === undefined)
      throw unreachable("The server answered with something unreadable.");
    return {
      data,
      text,
      status: response.status,
      headers: response.headers,
      etag: response.headers.get("etag"),
    };
  } catch (error) {
    if (error instanceof ApiProblem || signal?.aborted) throw error;
    if (deadline.aborted) throw unreachable("The server did not answer in time.", error);
    throw unreachable("Check your connection. If it is fine, the server is down.", error);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
