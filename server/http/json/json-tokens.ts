// The tokens of JSON (RFC 8259) among the bytes of a document. What matters here is ASCII, which UTF-8 has nothing else to be
// taken for.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

/** The end of what is no JSON. */
export const NONE = -1;

// Comparisons, because a Set asked for every byte of every body is many times slower.
export const isSpace = (byte = 0) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The first index from `start` on that is not white space. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at++;
  return at;
}

/** The index after the string that starts at `start`. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (;;) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) {
      at = endOfEscape(bytes, at + 1);
      if (at === NONE) return NONE;
    } else if (byte < 0x20) return NONE;
    else at++;
  }
}

/** One of `"\/bfnrt`, or `u` and four digits. */
function endOfEscape(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 1;
    case 0x75:
      for (let n = 1; n <= 4; n++) if (!isHex(bytes[at + n])) return NONE;
      return at + 5;
    default:
      return NONE;
  }
}

/** The index after the number that starts at `start`. */
export function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : endOfDigits(bytes, at);
  if (at !== NONE && bytes[at] === POINT) at = endOfDigits(bytes, at + 1);
  if (at === NONE || (bytes[at] !== 0x65 && bytes[at] !== 0x45)) return at;
  const sign = bytes[at + 1];
  return endOfDigits(bytes, sign === MINUS || sign === 0x2b ? at + 2 : at + 1);
}

/** There must be one at least. */
function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  return at === start ? NONE : at;
}

const isDigit = (byte = 0) => byte >= ZERO && byte <= 0x39;
const isHex = (byte = 0) => isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);

/** The name that a string token spells. */
export function decodeName(token: string): string {
  return token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
}
