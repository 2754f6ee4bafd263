import { isUtf8 } from "node:buffer";
import { JsonCheck, malformed, type Span } from "./check-json.ts";
import { JsonSource } from "./json-source.ts";

/** A JSON document: its value, and what it was read from. */
export interface JsonDocument {
  value: unknown;
  source: JsonSource;
}

/** The way to a member whose object nobody looks into, such as `["events", "*", "data"]`. */
export type Unread = readonly string[];

/**
 * Reads a body as JSON (RFC 8259). What could harm later work is refused before anything is built of it: bytes that are
 * not UTF-8, a byte order mark, more than 32 levels, a member named `__proto__`. Of an object that is `unread`, which must
 * be JSON like all of it, an empty one is in the value: to build what is only kept as text would cost several times the look
 * at its bytes.
 */
export function parseJson(bytes: Buffer, unread: Unread = []): JsonDocument {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw malformed("The body starts with a byte order mark.");
  if (!isUtf8(bytes)) throw malformed("The body is not valid UTF-8.");
  const { isValid, ends, found } = new JsonCheck(bytes, unread);
  const source = new JsonSource(bytes, ends);
  if (!isValid)
    throw malformed(source.text.trim() === "" ? "The body is empty." : "The body is not valid JSON.");
  return { value: JSON.parse(found.length > 0 ? without(bytes, found) : source.text), source };
}

/** The text of a document in which objects have nothing in them. */
function without(bytes: Buffer, objects: readonly Span[]): string {
  const rest = Buffer.allocUnsafe(bytes.length);
  let [length, from] = [0, 0];
  for (const { start, end } of objects) {
    length += bytes.copy(rest, length, from, start + 1);
    from = end - 1;
  }
  length += bytes.copy(rest, length, from);
  return rest.toString("utf8", 0, length);
}
