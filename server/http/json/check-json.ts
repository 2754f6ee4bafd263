import { AppError } from "#server/errors.ts";
import { decodeName, endOfNumber, endOfString, NONE, skipSpace } from "./json-tokens.ts";

export const MAX_DEPTH = 32;

// Down to the data of an event in a batch. What is shorter is as soon passed over again.
const KEPT_DEPTH = 4;
const KEPT_BYTES = 128;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Where something lies among the bytes. */
export interface Span {
  start: number;
  end: number;
}

export const malformed = (detail: string) => new AppError("malformed-json", detail);

/**
 * Looks at every byte of a document once, building nothing. Says whether it is JSON (RFC 8259), and notes where long
 * containers end, so that nobody need look again, and where objects lie that are asked for. Throws `malformed-json` for more
 * than 32 levels and for a member named `__proto__`.
 */
export class JsonCheck {
  /** Where long containers end, by where they start. */
  readonly ends = new Map<number, number>();
  /** The objects asked for, in their order. */
  readonly found: Span[] = [];
  readonly isValid: boolean;
  readonly #bytes: Uint8Array;
  readonly #name: Uint8Array;
  readonly #depth: number;

  /** `bytes` are UTF-8. Objects are looked for by the last name of `path`, as deep as it is long. */
  constructor(bytes: Uint8Array, path: readonly string[] = []) {
    this.#bytes = bytes;
    this.#name = Buffer.from(path.at(-1) ?? "");
    this.#depth = path.length;
    const end = this.#endOfValue(skipSpace(bytes, 0), 0);
    this.isValid = end !== NONE && skipSpace(bytes, end) === bytes.length;
  }

  #endOfValue(at: number, depth: number): number {
    const first = this.#bytes[at];
    switch (first) {
      case QUOTE:
        return endOfString(this.#bytes, at);
      case OPEN_OBJECT:
      case OPEN_ARRAY: {
        if (depth === MAX_DEPTH) throw malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`);
        const end =
          first === OPEN_OBJECT ? this.#endOfObject(at, depth + 1) : this.#endOfArray(at, depth + 1);
        if (depth < KEPT_DEPTH && end - at > KEPT_BYTES) this.ends.set(at, end);
        return end;
      }
      case 0x74:
        return this.#endOfWord(at, "true");
      case 0x66:
        return this.#endOfWord(at, "false");
      case 0x6e:
        return this.#endOfWord(at, "null");
      default:
        return endOfNumber(this.#bytes, at);
    }
  }

  #endOfArray(start: number, depth: number): number {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, start + 1);
    if (bytes[at] === 0x5d) return at + 1;
    for (;;) {
      const end = this.#endOfValue(at, depth);
      if (end === NONE) return NONE;
      at = skipSpace(bytes, end);
      if (bytes[at] === 0x5d) return at + 1;
      if (bytes[at] !== COMMA) return NONE;
      at = skipSpace(bytes, at + 1);
    }
  }

  #endOfObject(start: number, depth: number): number {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, start + 1);
    if (bytes[at] === 0x7d) return at + 1;
    for (;;) {
      if (bytes[at] !== QUOTE) return NONE;
      const name = at;
      const nameEnd = endOfString(bytes, at);
      if (nameEnd === NONE) return NONE;
      if (isProto(bytes, name, nameEnd)) throw malformed("A member must not be named __proto__.");
      at = skipSpace(bytes, nameEnd);
      if (bytes[at] !== COLON) return NONE;
      at = skipSpace(bytes, at + 1);
      const end = this.#endOfValue(at, depth);
      if (end === NONE) return NONE;
      if (depth === this.#depth && bytes[at] === OPEN_OBJECT && this.#isAskedFor(name, nameEnd))
        this.found.push({ start: at, end });
      at = skipSpace(bytes, end);
      if (bytes[at] === 0x7d) return at + 1;
      if (bytes[at] !== COMMA) return NONE;
      at = skipSpace(bytes, at + 1);
    }
  }

  /** Of a name that is written with escapes nothing is noted. */
  #isAskedFor(start: number, end: number): boolean {
    const name = this.#name;
    if (end - start - 2 !== name.length) return false;
    for (let n = 0; n < name.length; n++) if (this.#bytes[start + 1 + n] !== name[n]) return false;
    return true;
  }

  #endOfWord(start: number, word: string): number {
    for (let n = 0; n < word.length; n++) if (this.#bytes[start + n] !== word.charCodeAt(n)) return NONE;
    return start + word.length;
  }
}

// "__proto__" with every letter written as \u00xx.
const LONGEST_PROTO = 2 + 9 * 6;

/** Whether a name spells `__proto__`, with escapes or without. */
function isProto(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start + 1];
  if (first !== UNDERSCORE && first !== BACKSLASH) return false;
  const length = end - start;
  if (length < 11 || length > LONGEST_PROTO) return false;
  return decodeName(Buffer.from(bytes.subarray(start, end)).toString("utf8")) === "__proto__";
}
