/**
 * A number by its decimal text, so that `JSON.stringify` writes just those digits: beyond 2^53, or with more decimals
 * than a double holds, it is raw JSON in place of a number.
 */
export function exactNumber(text: string): number {
  const value = Number(text);
  // Typed as the number it stands for; only JSON.stringify looks at it.
  return String(value) === text
    ? value
    : ((JSON as unknown as RawJsonApi).rawJSON(text) as unknown as number);
}

/** Reads JSON so that `JSON.stringify` writes each number again as it was spelled. */
export function exactJson(text: string): unknown {
  const reviver = (_name: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === "number" && source !== undefined ? exactNumber(source) : value;
  return JSON.parse(text, reviver);
}

// In V8 since 11.4 and not yet among TypeScript's declarations.
interface RawJsonApi {
  rawJSON(text: string): object;
}

/** A decimal number as it was spelled in JSON (RFC 8259 §6), exactly: `4.990e1` is 49.9 with one decimal. */
export interface Decimal {
  /** Without exponent and without needless zeros: `-0.05`, `120`. */
  text: string;
  decimals: number;
}

const SPELLING = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
// No amount of ours is beyond these: hostile spellings are neither searched for zeros nor written out.
const MAX_SPELLING = 400;
const MAX_EXPONENT = 400;

/** The exact value of a number's spelling; `undefined` when it is none or is beyond reason. */
export function parseDecimal(spelling: string): Decimal | undefined {
  const match = spelling.length <= MAX_SPELLING ? SPELLING.exec(spelling) : null;
  if (!match) return undefined;
  const [, sign, whole = "", fraction = "", exponentText = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return { text: "0", decimals: 0 };
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined;
  const point = fraction.length - exponent;
  const padded = point > 0 ? digits.padStart(point + 1, "0") : digits + "0".repeat(-point);
  const left = point > 0 ? padded.slice(0, -point) : padded;
  const right = point > 0 ? padded.slice(-point).replace(/0+$/, "") : "";
  return { text: `${sign}${left}${right && `.${right}`}`, decimals: right.length };
}

/** A number that PostgreSQL wrote with trailing zeros, without them: `49.9000` is `49.9`. */
export function trimDecimal(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
