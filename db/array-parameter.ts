import { writeUuid } from "./uuid-bytes.ts";

/** The types of elements that arrays are made of here. */
export type ElementType =
  | "uuid"
  | "text"
  | "int"
  | "smallint"
  | "real"
  | "bool"
  | "timestamptz"
  | "bytea"
  | "tid";

type Write = (value: never, at: number) => number;

/** How an element is written: its type's OID, the most bytes that a value may take, and what puts them there. */
interface Codec {
  oid: number;
  most(value: never): number;
  /** Writes a value to `scratch` and gives its bytes. */
  write: Write;
}

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const EPOCH_MS = Date.UTC(2000, 0, 1);
const WORD = 2 ** 32;

/** Where arrays are put together; it grows to the largest there was. */
let scratch = Buffer.allocUnsafe(64 * 1024);

const fixed =
  (bytes: number): ((value: never) => number) =>
  () =>
    bytes;

/** All of one shape: they are looked into for each value. */
const codec = (oid: number, most: Codec["most"], write: Write): Codec => ({ oid, most, write });

const CODECS: Readonly<Record<ElementType, Codec>> = {
  uuid: codec(2950, fixed(16), (text: string, at) => writeUuid(scratch, text, at)),
  // A UTF-16 unit takes three bytes of UTF-8 at most.
  text: codec(
    25,
    (text: string) => 3 * text.length,
    (text: string, at) => scratch.write(text, at),
  ),
  int: codec(23, fixed(4), (value: number, at) => scratch.writeInt32BE(value, at) - at),
  smallint: codec(21, fixed(2), (value: number, at) => scratch.writeInt16BE(value, at) - at),
  real: codec(700, fixed(4), (value: number, at) => scratch.writeFloatBE(value, at) - at),
  bool: codec(16, fixed(1), (value: boolean, at) => scratch.writeUInt8(value ? 1 : 0, at) - at),
  timestamptz: codec(1184, fixed(8), writeMoment),
  bytea: codec(
    17,
    (bytes: Buffer) => bytes.length,
    (bytes: Buffer, at) => bytes.copy(scratch, at),
  ),
  tid: codec(27, fixed(6), writeRowAddress),
};

/**
 * A one-dimensional array as PostgreSQL receives it in binary (`array_recv`), which is how the driver sends a Buffer. As
 * text it is escaped here and searched for escapes there, element by element: for batches of hundreds of rows that was a
 * tenth of what a worker did, and of what the database did for it. Null and undefined are NULL; throws a RangeError or
 * TypeError for what the type cannot hold.
 */
export function arrayParameter(type: ElementType, values: readonly unknown[]): Buffer {
  const { oid, most, write } = CODECS[type];
  let end = HEADER_BYTES;
  let hasNull = 0;
  // By number: over arrays of many kinds, an iterator would be an object for each value.
  for (let n = 0; n < values.length; ) {
    const value = values[n];
    const first = n++;
    // Of a batch, many columns say the same of all rows, or of many in a row: that is written once.
    while (n < values.length && values[n] === value) n++;
    if (value === null || value === undefined) {
      makeRoom(end, LENGTH_BYTES);
      scratch.writeInt32BE(-1, end);
      end = repeat(end, LENGTH_BYTES, n - first);
      hasNull = 1;
    } else {
      makeRoom(end, LENGTH_BYTES + most(value as never));
      const bytes = write(value as never, end + LENGTH_BYTES);
      scratch.writeInt32BE(bytes, end);
      end = repeat(end, LENGTH_BYTES + bytes, n - first);
    }
  }
  // Dimensions, flags, type, and of the one dimension its length and first index.
  scratch.writeInt32BE(1, 0);
  scratch.writeInt32BE(hasNull, 4);
  scratch.writeInt32BE(oid, 8);
  scratch.writeInt32BE(values.length, 12);
  scratch.writeInt32BE(1, 16);
  return Buffer.from(scratch.subarray(0, end));
}

/** Has `scratch` hold the bytes at `from` so many times in all, one behind the other, and gives the end of them. */
function repeat(from: number, bytes: number, times: number): number {
  const end = from + times * bytes;
  makeRoom(from + bytes, (times - 1) * bytes);
  // Twice as much each time.
  for (let at = from + bytes; at < end; at = from + 2 * (at - from))
    scratch.copyWithin(at, from, Math.min(at, from + end - at));
  return end;
}

function makeRoom(end: number, bytes: number): void {
  if (end + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(2 * (end + bytes));
  scratch.copy(larger, 0, 0, end);
  scratch = larger;
}

/** Microseconds since 2000, as 64 bits. */
function writeMoment(value: Date, at: number): number {
  const micros = (value.getTime() - EPOCH_MS) * 1000;
  if (Number.isNaN(micros)) throw new RangeError("That is no moment.");
  const high = Math.floor(micros / WORD);
  scratch.writeInt32BE(high, at);
  scratch.writeUInt32BE(micros - high * WORD, at + 4);
  return 8;
}

const ROW_ADDRESS = /^\((\d+),(\d+)\)$/;

/** Of a row as PostgreSQL spells it, `(block,item)`. */
function writeRowAddress(text: string, at: number): number {
  const [, block, item] = ROW_ADDRESS.exec(text) ?? [];
  if (item === undefined) throw new TypeError("That is no address of a row.");
  scratch.writeUInt32BE(Number(block), at);
  scratch.writeUInt16BE(Number(item), at + 4);
  return 6;
}
