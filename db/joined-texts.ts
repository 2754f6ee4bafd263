import { opaque } from "./opaque.ts";

/** A control character, which JSON text cannot hold (RFC 8259 §7): within strings it is escaped, outside it is no white space. */
const SEPARATOR = "\u001e";

/**
 * Texts of JSON as one parameter, for `splitTexts`. An array literal would have to escape every quote, and PostgreSQL
 * would look at every character to undo that: for events of a kilobyte that was most of what storing them cost.
 */
export function joinedTexts(texts: readonly string[]): string {
  return texts.join(SEPARATOR);
}

/** SQL that makes a `text[]` of the parameter again. No text may be empty. */
export function splitTexts(parameter: `$${number}`): string {
  return `string_to_array(${opaque(parameter, "text")}, E'\\x1e')`;
}
