import { RE2JS } from "re2js";

const MAX_PATTERN = 1_000;
const MAX_PROGRAM = 2_500;

/** A regular expression whose matching takes time in proportion to the text, whatever it is. */
export interface LinearRegExp {
  test(text: string): boolean;
}

/**
 * Reads a pattern of JSON Schema: an ECMA-262 regular expression with the `u` flag, without lookaround, backreferences
 * and escaped surrogates. A text is what is wrong with it.
 */
export function linearRegExp(pattern: string): LinearRegExp | string {
  if (pattern.length > MAX_PATTERN) return `must be at most ${MAX_PATTERN} characters long`;
  try {
    // Only to see that both read it alike: no text is ever matched by it.
    new RegExp(pattern, "u");
    // Its two halves would be taken for two characters, and match nothing.
    if (/\\u[dD][89a-fA-F]/.test(pattern))
      return "must hold characters beyond U+FFFF themselves, or as \\u{…}";
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    if (compiled.programSize() > MAX_PROGRAM) return "repeats too much";
    return compiled;
  } catch {
    return "must be an ECMA-262 regular expression without lookaround, backreferences and \\p{name=value}, with repetitions of at most 1000";
  }
}
