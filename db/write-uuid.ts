const NO_DIGIT = 0x10;
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (let digit = 0; digit < 16; digit++) {
  DIGITS[digit.toString(16).charCodeAt(0)] = digit;
  DIGITS[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

const LENGTH = 36;
const BYTES = 16;
/** Where the two digits of each byte stand, and where the dashes do. */
const PLACES = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);
const DASHES = [8, 13, 18, 23];

/** Writes the sixteen bytes of a UUID (RFC 9562 §4) at `at`; gives how many those are. Throws a TypeError for what is none. */
export function writeUuid(to: Uint8Array, text: string, at: number): number {
  let seen = text.length === LENGTH ? 0 : NO_DIGIT;
  for (let i = 0; i < BYTES; i++) {
    const place = PLACES[i] as number;
    const high = digitAt(text, place);
    const low = digitAt(text, place + 1);
    seen |= high | low;
    to[at + i] = (high << 4) | low;
  }
  for (const place of DASHES) if (text.charCodeAt(place) !== 0x2d) seen |= NO_DIGIT;
  if (seen >= NO_DIGIT) throw new TypeError("That is no UUID.");
  return BYTES;
}

/** A character beyond the table is no digit either. */
const digitAt = (text: string, place: number) => DIGITS[text.charCodeAt(place)] ?? NO_DIGIT;
