// Reads the text of valid JSON without building values, so that parts of it can be kept to the byte.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

// Comparisons, because a Set asked for every character of every body is many times slower.
const isOpening = (code: number) => code === 0x7b || code === 0x5b;
const isClosing = (code: number) => code === 0x7d || code === 0x5d;
const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** The index after the string that starts at `start`; the end of the text when it is not closed. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/** The first index from `start` on that is not white space. */
function skipSpace(text: string, start: number): number {
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

/** What an object's text holds under a name. */
interface Walked {
  /** The index after the object. */
  end: number;
  value: string | undefined;
  /** Where the value starts; -1 when there is none. */
  valueAt: number;
}

/** Of a name that occurs twice the last counts, as with `JSON.parse`. */
function walkObject(text: string, start: number, name: string): Walked {
  let [from, to] = [-1, -1];
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const nameEnd = endOfString(text, at);
    const valueAt = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = endOfValue(text, valueAt);
    if (decodeName(text.slice(at, nameEnd)) === name) [from, to] = [valueAt, end];
    const separator = skipSpace(text, end);
    at = text.charCodeAt(separator) === COMMA ? skipSpace(text, separator + 1) : separator;
  }
  return { end: at + 1, value: from < 0 ? undefined : text.slice(from, to), valueAt: from };
}

/** The text of a member's value in an object's valid text, to the byte; `undefined` when there is none. */
export function rawMember(object: string, name: string): string | undefined {
  return walkObject(object, skipSpace(object, 0), name).value;
}

/** An item of an array, by where its text lies, with the text of one of its members. */
export interface RawItem {
  start: number;
  end: number;
  member: string | undefined;
}

/**
 * The items of the array that an object has under `array`, each with its member `name`, to the byte; none when there is
 * no such array. One pass over the whole text: to cut out parts and look through those costs several times as much.
 */
export function rawItems(object: string, array: string, name: string): RawItem[] {
  const items: RawItem[] = [];
  const { valueAt } = walkObject(object, skipSpace(object, 0), array);
  if (object[valueAt] !== "[") return items;
  let at = skipSpace(object, valueAt + 1);
  while (at < object.length && !isClosing(object.charCodeAt(at))) {
    const isObject = object[at] === "{";
    const { end, value } = isObject
      ? walkObject(object, at, name)
      : { end: endOfValue(object, at), value: undefined };
    items.push({ start: at, end, member: value });
    const separator = skipSpace(object, end);
    at = object.charCodeAt(separator) === COMMA ? skipSpace(object, separator + 1) : separator;
  }
  return items;
}
