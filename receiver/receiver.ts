import type { IncomingMessage, ServerResponse } from "node:http";
import { deliveryIdentity, type HeaderSource } from "./headers.ts";
import { type Key, keysOf, type Secrets } from "./keys.ts";
import { type Outcome, type Result, statusOf } from "./outcome.ts";
import { type BodyResult, readNodeBody, readWebBody } from "./read-body.ts";
import type { DeliveryRecord, DeliveryStore } from "./store.ts";
import { VerificationError } from "./verification-error.ts";
import { type Verified, type VerifyPolicy, verifyWithKeys } from "./verify.ts";

export type ReceiverOptions = VerifyPolicy & {
  /** The secrets to accept, or how to find those of a path (asked for every request). */
  secrets: Secrets | ((path: string) => Secrets | Promise<Secrets>);
  store: DeliveryStore;
  /**
   * Called once for each newly stored delivery, without holding up the answer. The process may die in between: what
   * must happen has to be driven from the store.
   */
  onEvent?: (record: DeliveryRecord) => void | Promise<void>;
  /** Told of what was answered with 500 and of what `onEvent` threw. Default: a process warning. */
  onError?: (error: unknown) => void;
  /** A larger body is answered with 413. Default 1 MiB. */
  maxBodyBytes?: number;
};

/** Both functions may be passed on unbound: `app.post(path, receiver.node)`. */
export type Receiver = {
  /** Answers a Web request. */
  fetch: (request: Request) => Promise<Response>;
  /** Answers a `node:http` request that nothing has read from, and tells how. */
  node: (request: IncomingMessage, response: ServerResponse) => Promise<Outcome>;
};

type Incoming = {
  method: string | undefined;
  path: string;
  headers: HeaderSource;
  readBody: (maxBytes: number) => Promise<BodyResult>;
};

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

/**
 * Receives deliveries: raw bytes, then signature (401), delivery id and event type (400), stored once (202 new, 200
 * known). A failing store or secrets function answers 500, so that the sender tries again. Throws a TypeError for an
 * empty secret.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const keysFor = keySource(options.secrets);
  const onError =
    options.onError ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));

  async function answer(incoming: Incoming): Promise<Outcome> {
    const identity = deliveryIdentity(incoming.headers);
    try {
      const result = await receive(incoming, keysFor, { ...options, onError });
      return { status: statusOf(result), result, ...identity };
    } catch (error) {
      onError(error);
      return { status: 500, result: "internal_error", ...identity };
    }
  }

  return {
    async fetch(request) {
      const outcome = await answer({
        method: request.method,
        path: new URL(request.url).pathname,
        headers: request.headers,
        readBody: (maxBytes) => readWebBody(request, maxBytes),
      });
      return new Response(answerBody(outcome), { status: outcome.status, headers: answerHeaders(outcome) });
    },
    async node(request, response) {
      const outcome = await answer({
        method: request.method,
        path: (request.url ?? "/").replace(/\?.*$/s, ""),
        headers: request.headers,
        readBody: (maxBytes) => readNodeBody(request, maxBytes),
      });
      // Bytes of a body that was not read to its end would be taken for the next request.
      const connection = request.complete ? {} : { Connection: "close" };
      response.writeHead(outcome.status, { ...answerHeaders(outcome), ...connection });
      response.end(answerBody(outcome));
      return outcome;
    },
  };
}

async function receive(
  incoming: Incoming,
  keysFor: (path: string) => Promise<readonly Key[]>,
  options: ReceiverOptions & { onError: (error: unknown) => void },
): Promise<Result> {
  if (incoming.method !== "POST") return "method_not_allowed";
  const body = await incoming.readBody(options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES);
  if ("refused" in body) return body.refused;

  // Verified before anything else is said, so that a stranger's probe learns nothing.
  let verified: Verified;
  try {
    verified = verifyWithKeys(await keysFor(incoming.path), {
      ...options,
      headers: incoming.headers,
      body: body.bytes,
    });
  } catch (error) {
    if (error instanceof VerificationError) return error.reason;
    throw error;
  }

  const { deliveryId, eventType } = deliveryIdentity(incoming.headers);
  if (deliveryId === null) return "missing_delivery_id";
  if (eventType === null) return "missing_event_type";

  const receivedAt = new Date().toISOString();
  const record = { deliveryId, eventType, keyId: verified.keyId, receivedAt, body: body.bytes };
  const result = await options.store.insert(deliveryId, record);
  const { onEvent, onError } = options;
  if (result === "stored" && onEvent) {
    setImmediate(() => void notify(onEvent, record, onError));
  }
  return result;
}

async function notify(
  onEvent: (record: DeliveryRecord) => void | Promise<void>,
  record: DeliveryRecord,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    await onEvent(record);
  } catch (error) {
    onError(error);
  }
}

function keySource(secrets: ReceiverOptions["secrets"]): (path: string) => Promise<readonly Key[]> {
  if (typeof secrets === "function") return async (path) => keysOf(await secrets(path));
  const keys = keysOf(secrets);
  return async () => keys;
}

function answerHeaders(outcome: Outcome): Record<string, string> {
  const headers = { "Content-Type": "application/json" };
  return outcome.status === 405 ? { ...headers, Allow: "POST" } : headers;
}

function answerBody(outcome: Outcome): string {
  return JSON.stringify({ result: outcome.result });
}
