import { decodeName, endOfString, isSpace, skipSpace } from "./json-tokens.ts";

// Reads the bytes of valid JSON without building values, so that parts of it can be kept to the byte. What matters here is
// ASCII, which UTF-8 has nothing else to be taken for.

const QUOTE = 0x22;
const COMMA = 0x2c;

// Comparisons, because a Set asked for every byte of every body is many times slower.
const isOpening = (byte = 0) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte = 0) => byte === 0x7d || byte === 0x5d;

/** A number, true, false or null ends where something else begins. */
function endOfWord(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === COMMA || isClosing(byte) || isSpace(byte)) return at;
    at++;
  }
  return at;
}

/** What an object holds under a name. */
interface Walked {
  /** The index after the object. */
  end: number;
  value: string | undefined;
  /** Where the value starts; -1 when there is none. */
  valueAt: number;
}

/** An item of an array, by where its bytes lie, with the text of one of its members. */
export interface RawItem {
  start: number;
  end: number;
  member: string | undefined;
}

/** The JSON that a request brought, as it was written. */
export class JsonSource {
  readonly #bytes: Buffer;
  readonly #ends: ReadonlyMap<number, number>;

  /** `bytes` hold valid JSON by the time its parts are asked for. `ends`: where containers end, by where they start, of as many as are known. */
  constructor(bytes: Buffer, ends: ReadonlyMap<number, number> = new Map()) {
    this.#bytes = bytes;
    this.#ends = ends;
  }

  /** All of it. */
  get text(): string {
    return this.#bytes.toString("utf8");
  }

  /** The text of a member's value, to the byte; `undefined` when there is none, or this is no object. */
  member(name: string): string | undefined {
    return this.#walkObject(skipSpace(this.#bytes, 0), name).value;
  }

  /**
   * The items of the array that is the member `array`, each with its own member `name`, to the byte; none when there is no
   * such array.
   */
  items(array: string, name: string): RawItem[] {
    const bytes = this.#bytes;
    const items: RawItem[] = [];
    const { valueAt } = this.#walkObject(skipSpace(bytes, 0), array);
    if (bytes[valueAt] !== 0x5b) return items;
    let at = skipSpace(bytes, valueAt + 1);
    while (at < bytes.length && !isClosing(bytes[at])) {
      const isObject = bytes[at] === 0x7b;
      const { end, value } = isObject
        ? this.#walkObject(at, name)
        : { end: this.#endOfValue(at), value: undefined };
      items.push({ start: at, end, member: value });
      const separator = skipSpace(bytes, end);
      at = bytes[separator] === COMMA ? skipSpace(bytes, separator + 1) : separator;
    }
    return items;
  }

  /** Of a name that occurs twice the last counts, as with `JSON.parse`. */
  #walkObject(start: number, name: string): Walked {
    const bytes = this.#bytes;
    let [from, to] = [-1, -1];
    let at = skipSpace(bytes, start + 1);
    while (bytes[at] === QUOTE) {
      const nameEnd = endOfString(bytes, at);
      const valueAt = skipSpace(bytes, skipSpace(bytes, nameEnd) + 1);
      const end = this.#endOfValue(valueAt);
      if (this.#isNamed(at, nameEnd, name)) [from, to] = [valueAt, end];
      const separator = skipSpace(bytes, end);
      at = bytes[separator] === COMMA ? skipSpace(bytes, separator + 1) : separator;
    }
    return { end: at + 1, value: from < 0 ? undefined : bytes.toString("utf8", from, to), valueAt: from };
  }

  /** Escapes make a name longer, never shorter. */
  #isNamed(start: number, end: number, name: string): boolean {
    if (end - start - 2 < name.length) return false;
    return decodeName(this.#bytes.toString("utf8", start, end)) === name;
  }

  /** The index after the value that starts at `start`. */
  #endOfValue(start: number): number {
    const first = this.#bytes[start];
    if (first === QUOTE) return endOfString(this.#bytes, start);
    return isOpening(first) ? this.#endOfContainer(start) : endOfWord(this.#bytes, start);
  }

  #endOfContainer(start: number): number {
    const known = this.#ends.get(start);
    if (known !== undefined) return known;
    const bytes = this.#bytes;
    let depth = 0;
    let at = start;
    while (at < bytes.length) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        at = endOfString(bytes, at);
        continue;
      }
      at++;
      if (isOpening(byte)) depth++;
      else if (isClosing(byte) && --depth === 0) return at;
    }
    return at;
  }
}
