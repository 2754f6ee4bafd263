/** Where something stands in a text, counted from 1. */
export interface Place {
  line: number;
  column: number;
}

/** What is wrong with a text that should be JSON, and where. */
export interface SyntaxDefect extends Place {
  message: string;
}

/** A text read as JSON: where each of its values stands, by its JSON Pointer (RFC 6901), or what is wrong with it. */
export interface Scan {
  defect: SyntaxDefect | null;
  values: ReadonlyMap<string, { start: number; end: number }>;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them within a text.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;
/** The server takes no document that is nested deeper. */
const MAX_DEPTH = 32;

class Defect extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Reads a text by the grammar of RFC 8259. The engine's own parser tells no place that all browsers agree on. */
export function scanJson(text: string): Scan {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return { defect: null, values: scanner.values };
  } catch (error) {
    if (!(error instanceof Defect)) throw error;
    return { defect: { ...placeAt(text, error.at), message: error.message }, values: scanner.values };
  }
}

/** The line and the column of an offset. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** The JSON text of a value within another, letter for letter; `undefined` when it is not there. */
export function textAt(text: string, pointer: string): string | undefined {
  const found = scanJson(text).values.get(pointer);
  return found && text.slice(found.start, found.end);
}

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

class Scanner {
  readonly values = new Map<string, { start: number; end: number }>();
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#space();
    this.#value("");
    this.#space();
    if (this.#at < this.#text.length) this.#fail("nothing may follow here");
  }

  #value(pointer: string): void {
    const start = this.#at;
    const first = this.#text[start];
    if (first === "{") this.#nested(() => this.#object(pointer));
    else if (first === "[") this.#nested(() => this.#array(pointer));
    else if (first === '"') this.#string();
    else if (this.#take(WORD) === undefined && this.#take(NUMBER) === undefined)
      this.#fail(
        "a value is missing: an object, a list, a text in double quotes, a number, true, false or null",
      );
    this.values.set(pointer, { start, end: this.#at });
  }

  #nested(read: () => void): void {
    if (++this.#depth > MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH} levels`);
    this.#at++;
    this.#space();
    read();
    this.#depth--;
  }

  #object(pointer: string): void {
    if (this.#skip("}")) return;
    for (;;) {
      if (this.#text[this.#at] !== '"') this.#fail("a name in double quotes is missing");
      const name = JSON.parse(this.#string()) as string;
      this.#space();
      if (!this.#skip(":")) this.#fail("a colon is missing after the name");
      this.#space();
      this.#value(`${pointer}/${escaped(name)}`);
      this.#space();
      if (this.#skip("}")) return;
      if (!this.#skip(",")) this.#fail("a comma or } is missing");
      this.#space();
    }
  }

  #array(pointer: string): void {
    if (this.#skip("]")) return;
    for (let index = 0; ; index++) {
      this.#value(`${pointer}/${index}`);
      this.#space();
      if (this.#skip("]")) return;
      if (!this.#skip(",")) this.#fail("a comma or ] is missing");
      this.#space();
    }
  }

  #string(): string {
    return this.#take(STRING) ?? this.#fail("this text has no end, or holds what must be escaped");
  }

  #skip(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    this.#take(SPACE);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  #fail(message: string): never {
    throw new Defect(this.#at, message);
  }
}
