import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiBody, ApiRequest, ApiResponse } from "./message.ts";

/** Whether the client waits for leave before it sends the body (RFC 9110 §10.1.1). */
const waitsForLeave = (request: IncomingMessage) => request.headers.expect?.toLowerCase() === "100-continue";

/**
 * A request of node:http, of a server that leaves `checkContinue` to us: leave is given when the body is first read.
 * `stopping` aborts when the server is about to stop.
 */
export function fromNode(
  request: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
): ApiRequest {
  const { headers } = request;
  const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
  let signal: AbortSignal | undefined;
  const body: ApiBody = {
    arrived() {
      // What was torn down is complete without having anything to read; who asked for leave is told of it.
      if (!request.complete || request.readableLength === 0 || waitsForLeave(request)) return undefined;
      return (request.read() as Buffer | null) ?? undefined;
    },
    [Symbol.asyncIterator]() {
      if (waitsForLeave(request)) response.writeContinue();
      // Leaving the loop early must not destroy the socket: the refusal still has to be written to it.
      return request.iterator({ destroyOnReturn: false });
    },
  };
  return {
    method: request.method ?? "GET",
    target: request.url ?? "/",
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    body: hasBody ? body : null,
    get signal() {
      signal ??= signalOf(response, stopping);
      return signal;
    },
  };
}

function signalOf(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const left = new AbortController();
  response.once("close", () => left.abort());
  return AbortSignal.any([left.signal, stopping]);
}

/** Writes an answer. HEAD gets the headers of GET. */
export async function writeNode(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: ApiResponse,
): Promise<void> {
  const bodiless = status === 204 || status === 304;
  const unread = !request.complete && (headers.connection === "close" || waitsForLeave(request));
  response.writeHead(status, {
    ...headers,
    ...(bodiless ? {} : { "content-length": String(Buffer.byteLength(body ?? "")) }),
    ...(unread ? { connection: "close" } : {}),
  });
  const text = bodiless || request.method === "HEAD" ? "" : (body ?? "");
  if (!unread) {
    response.end(text);
    return;
  }
  // Closing on unread bytes resets the connection, which can take the answer with it.
  response.write(text);
  await discard(request);
  response.end();
}

// What a client may still send before it has read the refusal; more is cut off.
const LINGER_BYTES = 1024 * 1024;
const LINGER_MS = 1_000;

function discard(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LINGER_MS);
  let left = LINGER_BYTES;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) resolve();
  });
  for (const event of ["end", "close", "error"]) request.once(event, () => resolve());
  request.resume();
  return promise.finally(() => clearTimeout(timer));
}
