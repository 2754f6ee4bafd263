import type { DeliveryRecord } from "./store.ts";

const NEWLINE = 0x0a;

/** One record as a line of JSON, the body in base64, with its newline. */
export function encodeLine(record: DeliveryRecord): string {
  return `${JSON.stringify({ ...record, body: Buffer.from(record.body).toString("base64") })}\n`;
}

/** The record of a line, or null for a line that was torn or damaged. */
export function decodeLine(line: string): DeliveryRecord | null {
  const value = parse(line);
  if (typeof value !== "object" || value === null) return null;
  const { deliveryId, eventType, keyId, receivedAt, body } = value as Record<string, unknown>;
  if (typeof deliveryId !== "string" || typeof eventType !== "string" || typeof body !== "string")
    return null;
  if (typeof receivedAt !== "string" || (keyId !== null && typeof keyId !== "string")) return null;
  return { deliveryId, eventType, keyId, receivedAt, body: new Uint8Array(Buffer.from(body, "base64")) };
}

/** Splits chunks of bytes into lines; `ended` is false for a last line without its newline. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ text: string; ended: boolean }> {
  let pieces: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield { text: Buffer.concat([...pieces, chunk.subarray(start, end)]).toString("utf8"), ended: true };
      pieces = [];
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  if (pieces.length > 0) yield { text: Buffer.concat(pieces).toString("utf8"), ended: false };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
