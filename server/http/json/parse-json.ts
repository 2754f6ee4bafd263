import { isUtf8 } from "node:buffer";
import { AppError } from "#server/errors.ts";
import { decodeName, endOfString, skipSpace } from "./spans.ts";

export const MAX_DEPTH = 32;

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
  const text = bytes.toString("utf8");
  scan(text);
  try {
    return { value: JSON.parse(text), text };
  } catch {
    throw malformed(text.trim() === "" ? "The body is empty." : "The body is not valid JSON.");
  }
}

function scan(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (isProto(text, at, end)) throw malformed("A member must not be named __proto__.");
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

/** Whether the string token is a member's name and spells `__proto__`, with escapes or without. */
function isProto(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < 11 || length > LONGEST_PROTO) return false;
  const token = text.slice(start, end);
  if (length !== 11 && !token.includes("\\")) return false;
  try {
    if (decodeName(token) !== "__proto__") return false;
  } catch {
    return false; // No valid string: the parser will say so.
  }
  return text[skipSpace(text, end)] === ":";
}
