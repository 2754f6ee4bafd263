import { randomUUID } from "node:crypto";
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { blankProblem } from "./problem.ts";
import { securityHeaders } from "./security-headers.ts";

/** Whoever sends what is no request did not come by TLS for certain: nothing is said of that. */
const GUARD = securityHeaders("");

const STATUS_OF: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

// What a client may still be sending when it is refused: closing on unread bytes can take the answer with it.
const LINGER_MS = 1_000;
// Longer than any call waits; who does not read its answers is not waited for.
const DUE_WITHIN_MS = 35_000;

/**
 * Answers what is no request at all as everything else is answered: with a problem document, and closes. Where other
 * answers are due on the connection it is closed after them.
 */
export function answerClientErrors(server: Server): void {
  const open = new WeakMap<Duplex, Set<ServerResponse>>();
  const refused = new WeakSet<Duplex>();
  for (const event of ["request", "checkContinue", "checkExpectation"] as const)
    server.on(event, (request, response) => {
      const responses = open.get(request.socket) ?? new Set();
      open.set(request.socket, responses.add(response));
      response.once("close", () => responses.delete(response));
    });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // What comes after is no request either.
    if (refused.has(socket)) return;
    refused.add(socket);
    const due = [...(open.get(socket) ?? [])];
    const isFree = due.every(({ headersSent, req }) => !headersSent && !req.complete);
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const cut = setTimeout(() => socket.destroy(), isFree ? LINGER_MS : DUE_WITHIN_MS);
    socket.once("close", () => clearTimeout(cut));
    if (isFree) {
      socket.end(messageOf(STATUS_OF[error.code ?? ""] ?? 400));
      return;
    }
    let left = due.length;
    for (const response of due) response.once("close", () => --left || socket.destroy());
  });
}

function messageOf(status: number): string {
  const { headers, body } = blankProblem(status, randomUUID());
  const text = body ?? "";
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...headers, ...GUARD }).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n${text}`;
}
