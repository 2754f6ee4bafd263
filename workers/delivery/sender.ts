import type { AddressPolicy } from "#server/domain/address-policy.ts";
import { Exchange, type SendRequest, type SendResult } from "./exchange.ts";
import { Origins } from "./origins.ts";
import { remember } from "./remember.ts";
import { requestHead, type Target, targetOf } from "./request-head.ts";
import { createResolver, type Resolve } from "./resolver.ts";
import { Watch } from "./watch.ts";

export type { SendRequest, SendResult } from "./exchange.ts";

export interface SenderOptions {
  policy: AddressPolicy;
  resolve?: Resolve;
  /** For name, TCP and TLS together. */
  connectTimeoutMs?: number;
  maxConnectionsPerOrigin?: number;
  /** Kept alive for the next request, over all origins. */
  maxIdleConnections?: number;
}

export interface Sender {
  /** Sends one POST. Never rejects: whatever happens is a result. */
  send(request: SendRequest): Promise<SendResult>;
  /** Ends when everything under way has its result; a later `send` gets `internal`. */
  close(): Promise<void>;
}

/**
 * Sends webhooks over HTTP/1.1, one at a time on a connection. No redirect is followed, nothing is decompressed, no
 * proxy of the environment is used, and nothing is sent to an address that the policy refuses.
 */
export function createSender(options: SenderOptions): Sender {
  const origins = new Origins(
    {
      policy: options.policy,
      resolve: options.resolve ?? createResolver(),
      connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    },
    {
      maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? 256,
      maxIdleConnections: options.maxIdleConnections ?? 1024,
    },
  );
  const watch = new Watch();
  const targetFor = targetReader();
  const drained = Promise.withResolvers<void>();
  let isClosed = false;

  function end(exchange: Exchange, isClean: boolean): void {
    if (exchange.channel) origins.release(exchange.channel, isClean);
    watch.delete(exchange);
    if (isClosed && watch.size === 0) drained.resolve();
  }

  return {
    send(request) {
      const target = isClosed ? null : targetFor(request.url);
      const head = target && headOf(target, request);
      if (!head) return Promise.resolve(NOT_SENT);
      return new Promise((resolve) => {
        const exchange = new Exchange(head, request, (result, isClean) => {
          // First: whatever becomes of the connection, the result is not lost.
          resolve(result);
          end(exchange, isClean);
        });
        watch.add(exchange);
        origins.dispatch(target, exchange);
      });
    },
    async close() {
      isClosed = true;
      if (watch.size > 0) await drained.promise;
      origins.closeIdle();
    },
  };
}

const MAX_KEPT_TARGETS = 10_000;

/** Reads URLs and keeps what it read: the same few are sent to again and again. */
function targetReader(): (url: string) => Target | null {
  const kept = new Map<string, Target>();
  return (url) => {
    const known = kept.get(url);
    if (known) return known;
    const target = targetOf(url);
    return target && remember(kept, MAX_KEPT_TARGETS, url, target);
  };
}

/** Null where a header cannot be sent. */
function headOf(target: Target, { headers, body }: SendRequest): string | null {
  try {
    return requestHead(target, headers, body.length);
  } catch {
    return null;
  }
}

const NOT_SENT: SendResult = {
  result: { kind: "error", code: "internal" },
  status: null,
  headers: null,
  body: null,
  bodyTruncated: false,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 },
  remoteAddress: null,
  retryAfter: null,
};
