import { performance } from "node:perf_hooks";
import type { TransportErrorCode } from "#contracts/outcomes.ts";
import type { AttemptResult } from "#server/domain/outcome.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { InBag } from "./bag.ts";
import type { Channel } from "./channel.ts";
import { errorCodeOf } from "./send-error.ts";

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
  /** A harmless few of the answer's headers, as the text of a JSON object. */
  headers: string | null;
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
 * One request and its answer. Finishes once, with what there is by then: a final status counts from the moment its
 * headers are complete, whatever becomes of the body.
 */
export class Exchange implements InBag {
  at = -1;
  /** Of the request, in characters of one byte each. */
  readonly head: string;
  readonly body: Buffer;
  readonly answer = new AnswerReader();
  /** Null while it waits for a connection. */
  channel: Channel | null = null;
  isFinished = false;

  readonly #onFinish: OnFinish;
  readonly #timeoutMs: number;
  readonly #startedAt = performance.now();
  #sentAt = 0;
  #firstByteAt = 0;

  constructor(head: string, request: SendRequest, onFinish: OnFinish) {
    this.head = head;
    this.body = request.body;
    this.#timeoutMs = request.timeoutMs;
    this.#onFinish = onFinish;
  }

  /** Told by the channel when the request is being written, as are the others. */
  onSend(): void {
    this.#sentAt = performance.now();
  }

  onBytes(bytes: Buffer): void {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
    try {
      this.answer.push(bytes, this.channel?.origin.parseHead);
    } catch (error) {
      this.onError(error);
    }
    this.#finishIfComplete();
  }

  /** The peer has sent its last byte. */
  onEnd(): void {
    try {
      this.answer.end();
    } catch (error) {
      this.onError(error);
    }
    this.#finishIfComplete();
  }

  onError(error: unknown): void {
    this.#breakOff(errorCodeOf(error));
  }

  /** Ends the exchange if its time is over. `now` is on the clock of `performance.now()`. */
  expireAt(now: number): void {
    if (now - this.#startedAt < this.#timeoutMs) return;
    const phase = this.channel?.connection.phase;
    if (phase === "dns") this.#breakOff("dns_failure");
    else this.#breakOff(phase === "connect" || phase === "tls" ? "connect_timeout" : "timeout");
  }

  #finishIfComplete(): void {
    const { head, isComplete } = this.answer;
    if (head && isComplete) this.#finish({ kind: "response", status: head.status }, true);
  }

  /** The exchange ends before its answer does. */
  #breakOff(code: TransportErrorCode): void {
    const { head } = this.answer;
    this.#finish(head ? { kind: "response", status: head.status } : { kind: "error", code }, false);
  }

  #finish(result: AttemptResult, isClean: boolean): void {
    if (this.isFinished) return;
    this.isFinished = true;
    const { answer, channel } = this;
    const { head } = answer;
    this.#onFinish(
      {
        result,
        status: head?.status ?? null,
        headers: head?.headersText ?? null,
        body: head ? answer.body : null,
        bodyTruncated: head !== null && (answer.isCut || !isClean),
        timings: this.#timings(),
        remoteAddress: channel?.connection.remoteAddress ?? null,
        retryAfter: head?.headers["retry-after"] ?? null,
      },
      isClean,
    );
  }

  #timings(): SendTimings {
    const { connection, exchanges } = this.channel ?? {};
    const made = exchanges === 1 ? connection : null;
    return {
      dnsMs: made?.dnsMs ?? null,
      connectMs: made?.connectMs ?? null,
      tlsMs: made?.tlsMs ?? null,
      firstByteMs: this.#firstByteAt > 0 ? this.#firstByteAt - this.#sentAt : null,
      totalMs: performance.now() - this.#startedAt,
    };
  }
}
