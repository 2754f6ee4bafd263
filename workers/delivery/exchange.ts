import type { IncomingHttpHeaders } from "node:http";
import { performance } from "node:perf_hooks";
import type { Dispatcher } from "undici";
import type { TransportErrorCode } from "#contracts/outcomes.ts";
import type { AttemptResult } from "#server/domain/outcome.ts";
import type { Channel } from "./channel.ts";
import { keptHeaders } from "./response-headers.ts";
import { errorCodeOf } from "./send-error.ts";

const KEPT_BODY_BYTES = 4 * 1024;
const READ_BODY_BYTES = 16 * 1024;

export interface SendRequest {
  /** Absolute http or https URL. */
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** For all of it: waiting for a connection, DNS, connecting, TLS, request, headers and body of the answer. */
  timeoutMs: number;
}

/** Milliseconds of each step that was finished; null where it was not, or not taken (a connection used again). */
export interface SendTimings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the request to the first byte of the answer. */
  firstByteMs: number | null;
  totalMs: number;
}

export interface SendResult {
  result: AttemptResult;
  status: number | null;
  /** A harmless few of the answer's headers. */
  headers: Record<string, string> | null;
  /** The first 4 KiB at most, as received. */
  body: Buffer | null;
  /** Whether the answer's body went on, or might have, beyond what is kept. */
  bodyTruncated: boolean;
  timings: SendTimings;
  /** The address of the peer; null when there was no connection. */
  remoteAddress: string | null;
  /** The header of that name, as received. */
  retryAfter: string | null;
}

/** How an exchange tells that it is over; `isClean` when the connection is at the end of a whole answer. */
export type OnFinish = (result: SendResult, isClean: boolean) => void;

/**
 * One request and its answer, as a handler for undici. Finishes once, with what there is by then: a final status
 * counts from the moment its headers are complete, whatever becomes of the body.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly dispatchOptions: Dispatcher.DispatchOptions;
  /** Null while it waits for a connection. */
  channel: Channel | null = null;
  isFinished = false;

  readonly #onFinish: OnFinish;
  readonly #timeoutMs: number;
  readonly #startedAt = performance.now();
  #isFreshConnection = true;
  #sentAt = 0;
  #firstByteAt = 0;
  #status: number | null = null;
  #headers: IncomingHttpHeaders = {};
  #kept: Buffer[] = [];
  #bodyBytes = 0;

  constructor(path: string, request: SendRequest, onFinish: OnFinish) {
    this.dispatchOptions = { method: "POST", path, headers: request.headers, body: request.body };
    this.#timeoutMs = request.timeoutMs;
    this.#onFinish = onFinish;
  }

  onRequestStart(): void {
    this.#isFreshConnection = this.channel?.begin() ?? false;
    this.#sentAt = performance.now();
  }

  /** At the first byte of the answer, of each interim one too. */
  onResponseStarted(): void {
    this.#firstByteAt = performance.now();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = KEPT_BODY_BYTES - this.#bodyBytes;
    // A copy: the chunk is a view of a much larger read buffer.
    if (room > 0) this.#kept.push(Buffer.from(chunk.subarray(0, room)));
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > READ_BODY_BYTES) this.#breakOff("bad_response");
  }

  onResponseEnd(): void {
    this.#finish({ kind: "response", status: this.#status ?? 0 }, true);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#breakOff(errorCodeOf(error));
  }

  /** Told by the channel when the answer is longer than any answer may be. */
  onFlood(): void {
    this.#breakOff("bad_response");
  }

  /** Ends the exchange if its time is over. `now` is on the clock of `performance.now()`. */
  expireAt(now: number): void {
    if (now - this.#startedAt < this.#timeoutMs) return;
    const phase = this.channel?.connection?.phase;
    if (phase === "dns") this.#breakOff("dns_failure");
    else this.#breakOff(phase === "connect" || phase === "tls" ? "connect_timeout" : "timeout");
  }

  /** The exchange ends before its answer does. */
  #breakOff(code: TransportErrorCode): void {
    const status = this.#status;
    this.#finish(status === null ? { kind: "error", code } : { kind: "response", status }, false);
  }

  #finish(result: AttemptResult, isClean: boolean): void {
    if (this.isFinished) return;
    this.isFinished = true;
    const answered = this.#status !== null;
    const headers = answered ? keptHeaders(this.#headers) : null;
    this.#onFinish(
      {
        result,
        status: this.#status,
        headers,
        body: answered ? joined(this.#kept) : null,
        bodyTruncated: this.#bodyBytes > KEPT_BODY_BYTES || (answered && !isClean),
        timings: this.#timings(),
        remoteAddress: this.channel?.connection?.remoteAddress ?? null,
        retryAfter: headers?.["retry-after"] ?? null,
      },
      isClean,
    );
  }

  #timings(): SendTimings {
    const made = this.#isFreshConnection ? this.channel?.connection : null;
    return {
      dnsMs: made?.dnsMs ?? null,
      connectMs: made?.connectMs ?? null,
      tlsMs: made?.tlsMs ?? null,
      firstByteMs: this.#firstByteAt > 0 ? this.#firstByteAt - this.#sentAt : null,
      totalMs: performance.now() - this.#startedAt,
    };
  }
}

function joined(chunks: Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}
