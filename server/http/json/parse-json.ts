import { isUtf8 } from "node:buffer";
import { AppError } from "#server/errors.ts";
import { decodeName, endOfString, JsonSource, skipSpace } from "./json-source.ts";

export const MAX_DEPTH = 32;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;

// "__proto__" with every letter written as \u00xx.
const LONGEST_PROTO = 2 + 9 * 6;

const malformed = (detail: string) => new AppError("malformed-json", detail);

/** A JSON document: its value, and what it was read from. */
export interface JsonDocument {
  value: unknown;
  source: JsonSource;
}

/**
 * Reads a body as JSON (RFC 8259). What could harm later work is refused before anything is built of it: bytes that are
 * not UTF-8, a byte order mark, more than 32 levels, a member named `__proto__`.
 */
export function parseJson(bytes: Buffer): JsonDocument {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw malformed("The body starts with a byte order mark.");
  if (!isUtf8(bytes)) throw malformed("The body is not valid UTF-8.");
  const source = new JsonSource(bytes, scan(bytes));
  try {
    return { value: JSON.parse(source.text), source };
  } catch {
    throw malformed(source.text.trim() === "" ? "The body is empty." : "The body is not valid JSON.");
  }
}

// Down to the data of an event in a batch. What is shorter is as soon passed over again.
const KEPT_DEPTH = 4;
const KEPT_BYTES = 128;

/** Looks at every byte once; gives where long containers end, by where they start, so that nobody need look again. */
function scan(bytes: Buffer): Map<number, number> {
  const ends = new Map<number, number>();
  const starts: number[] = [];
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE: {
        const end = endOfString(bytes, at);
        if (isProto(bytes, at, end)) throw malformed("A member must not be named __proto__.");
        at = end - 1;
        break;
      }
      case 0x7b:
      case 0x5b:
        if (++depth > MAX_DEPTH) throw malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`);
        if (depth <= KEPT_DEPTH) starts[depth] = at;
        break;
      case 0x7d:
      case 0x5d: {
        const start = starts[depth--];
        if (depth < KEPT_DEPTH && start !== undefined && at - start > KEPT_BYTES) ends.set(start, at + 1);
        break;
      }
    }
  }
  return ends;
}

/** Whether the string token is a member's name and spells `__proto__`, with escapes or without. */
function isProto(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start + 1];
  if (first !== UNDERSCORE && first !== BACKSLASH) return false;
  const length = end - start;
  if (length < 11 || length > LONGEST_PROTO) return false;
  try {
    if (decodeName(bytes.toString("utf8", start, end)) !== "__proto__") return false;
  } catch {
    return false; // No valid string: the parser will say so.
  }
  return bytes[skipSpace(bytes, end)] === COLON;
}
