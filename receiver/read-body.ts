import type { IncomingMessage } from "node:http";

/** The raw bytes of a request, or the reason for which there are none. */
export type BodyResult = { bytes: Uint8Array } | { refused: "body_too_large" | "incomplete_body" };

/** A refused body is read on (and dropped) this far, so that its sender gets to see the answer. */
const MAX_DROPPED_BYTES = 8 * 1024 * 1024;

const ALREADY_READ = "The body has been read already: receive deliveries before any body parser.";

/** Reads a Web request as bytes; `text()` would strip a byte order mark and replace invalid UTF-8. */
export async function readWebBody(request: Request, maxBytes: number): Promise<BodyResult> {
  if (request.bodyUsed) throw new Error(ALREADY_READ);
  if (request.body === null) return { bytes: new Uint8Array() };
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength;
      if (size > maxBytes) {
        await reader.cancel();
        return { refused: "body_too_large" };
      }
      chunks.push(next.value);
    }
  } catch {
    return { refused: "incomplete_body" };
  }
  return { bytes: Buffer.concat(chunks) };
}

/** Reads a Node request as bytes. */
export function readNodeBody(request: IncomingMessage, maxBytes: number): Promise<BodyResult> {
  if (request.readableEnded) return Promise.reject(new Error(ALREADY_READ));
  if (request.destroyed) return Promise.resolve({ refused: "incomplete_body" });
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      if (size > maxBytes + MAX_DROPPED_BYTES) {
        request.pause();
        resolve({ refused: "body_too_large" });
      }
    });
    request.on("end", () => {
      resolve(size <= maxBytes ? { bytes: Buffer.concat(chunks) } : { refused: "body_too_large" });
    });
    request.on("error", () => resolve({ refused: "incomplete_body" }));
  });
}
