const HEX = Buffer.from("0123456789abcdef");
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

/** The text of the last one that was asked for; its dashes stay. */
const written = Buffer.alloc(LENGTH, "-");

/**
 * The text of the sixteen bytes of a UUID, in one piece: of one put together from its digits, each of them stays an object until
 * somebody reads it.
 */
export function uuidText(bytes: Uint8Array): string {
  for (let i = 0; i < BYTES; i++) {
    const [byte, at] = [bytes[i] as number, PLACES[i] as number];
    written[at] = HEX[byte >>> 4] as number;
    written[at + 1] = HEX[byte & 0xf] as number;
  }
  return written.toString("latin1");
}

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
