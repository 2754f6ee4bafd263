// Reads the text of valid JSON without building values, so that parts of it can be kept to the byte.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

// Comparisons, because a Set asked for every character of every body is many times slower.
const isOpening = (code: number) => code === 0x7b || code === 0x5b;
const isClosing = (code: number) => code === 0x7d || code === 0x5d;
const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** The index after the string that starts at `start`; the end of the text when it is not closed. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/** The first index from `start` on that is not white space. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The index after the value that starts at `start`. */
function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  return isOpening(first) ? endOfContainer(text, start) : endOfWord(text, start);
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    at++;
    if (isOpening(code)) depth++;
    else if (isClosing(code) && --depth === 0) return at;
  }
  return at;
}

/** A number, true, false or null ends where something else begins. */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === COMMA || isClosing(code) || isSpace(code)) return at;
    at++;
  }
  return at;
}

/** The name that a string token spells. */
export function decodeName(token: string): string {
  return token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
}

/**
 * The text of a member's value in an object's valid text, to the byte; `undefined` when there is none.
 * Of a name that occurs twice the last counts, as with `JSON.parse`.
 */
export function rawMember(object: string, name: string): string | undefined {
  let found: string | undefined;
  let at = skipSpace(object, skipSpace(object, 0) + 1);
  while (object.charCodeAt(at) === QUOTE) {
    const nameEnd = endOfString(object, at);
    const start = skipSpace(object, skipSpace(object, nameEnd) + 1);
    const end = endOfValue(object, start);
    if (decodeName(object.slice(at, nameEnd)) === name) found = object.slice(start, end);
    const separator = skipSpace(object, end);
    if (object.charCodeAt(separator) !== COMMA) break;
    at = skipSpace(object, separator + 1);
  }
  return found;
}

/** The texts of the items in an array's valid text, each to the byte. */
export function rawItems(array: string): string[] {
  const items: string[] = [];
  let at = skipSpace(array, skipSpace(array, 0) + 1);
  while (at < array.length && !isClosing(array.charCodeAt(at))) {
    const end = endOfValue(array, at);
    items.push(array.slice(at, end));
    const separator = skipSpace(array, end);
    if (array.charCodeAt(separator) !== COMMA) break;
    at = skipSpace(array, separator + 1);
  }
  return items;
}
