import { isUtf8 } from "node:buffer";
import { AppError } from "#server/errors.ts";
import { decodeName } from "./spans.ts";

export const MAX_DEPTH = 32;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

// "__proto__" with every letter written as \u00xx.
const LONGEST_PROTO = 2 + 9 * 6;

const malformed = (detail: string) => new AppError("malformed-json", detail);

/** A JSON document: its value, and the text it was read from. */
export interface JsonDocument {
  value: unknown;
  text: string;
}

/**
 * Reads a body as JSON (RFC 8259). What could harm later work is refused before anything is built of it: bytes that are
 * not UTF-8, a byte order mark, more than 32 levels, a member named `__proto__`.
 */
export function parseJson(bytes: Buffer): JsonDocument {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw malformed("The body starts with a byte order mark.");
  if (!isUtf8(bytes)) throw malformed("The body is not valid UTF-8.");
  scan(bytes);
  const text = bytes.toString("utf8");
  try {
    return { value: JSON.parse(text), text };
  } catch {
    throw malformed(text.trim() === "" ? "The body is empty." : "The body is not valid JSON.");
  }
}

/** Bytes, because a string is read more slowly; what matters here is ASCII, which UTF-8 has nothing else to be taken for. */
function scan(bytes: Buffer): void {
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
        break;
      case 0x7d:
      case 0x5d:
        depth--;
        break;
    }
  }
}

/** The index after the string that starts at `start`; the end of the bytes when it is not closed. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at + 1;
  }
  return bytes.length;
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
  let at = end;
  while (SPACE.has(bytes[at] ?? 0)) at++;
  return bytes[at] === COLON;
}
