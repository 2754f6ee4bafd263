import { badResponse } from "./send-error.ts";

const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;
/** Of a chunk: exact as a number, and far beyond what is read of any answer. */
const MAX_CHUNK_BYTES = 2 ** 40;

type State =
  | "start"
  | "size"
  | "extension"
  | "sizeEnd"
  | "data"
  | "dataCr"
  | "dataLf"
  | "trailer"
  | "trailerLine"
  | "trailerLf"
  | "lf";

/**
 * Takes the chunks of a body apart as they come (RFC 9112 §7.1). Extensions and trailers are passed over. Bounded by
 * whoever feeds it: it keeps nothing.
 */
export class ChunkedBody {
  isComplete = false;
  #state: State = "start";
  /** Of the chunk: its size while that is read, then what is still to come of it. */
  #left = 0;

  /**
   * Reads `bytes` from `at` and gives `take` the ranges of them that are data. Gives the place after the last byte it
   * read: behind the body, or the end of `bytes`. Throws `bad_response` for what is not chunked.
   */
  read(bytes: Uint8Array, at: number, take: (from: number, to: number) => void): number {
    let next = at;
    while (next < bytes.length && !this.isComplete) {
      if (this.#state === "data") {
        const to = Math.min(bytes.length, next + this.#left);
        take(next, to);
        this.#left -= to - next;
        next = to;
        if (this.#left === 0) this.#state = "dataCr";
      } else {
        this.#step(bytes[next] ?? 0);
        next++;
      }
    }
    return next;
  }

  #step(byte: number): void {
    switch (this.#state) {
      case "start":
        if (hexDigit(byte) === -1) throw badChunk();
        this.#state = "size";
        this.#readSize(byte);
        break;
      case "size":
        this.#readSize(byte);
        break;
      case "extension":
        this.#passOver(byte, "sizeEnd");
        break;
      case "sizeEnd":
        this.#expect(byte, LF, this.#left === 0 ? "trailer" : "data");
        break;
      case "dataCr":
        this.#expect(byte, CR, "dataLf");
        break;
      case "dataLf":
        this.#expect(byte, LF, "start");
        break;
      case "trailer":
        this.#state = "trailerLine";
        this.#passOver(byte, "lf");
        break;
      case "trailerLine":
        this.#passOver(byte, "trailerLf");
        break;
      case "trailerLf":
        this.#expect(byte, LF, "trailer");
        break;
      default:
        this.#expect(byte, LF, "start");
        this.isComplete = true;
    }
  }

  #readSize(byte: number): void {
    const digit = hexDigit(byte);
    if (digit !== -1) {
      this.#left = this.#left * 16 + digit;
      if (this.#left > MAX_CHUNK_BYTES) throw badChunk();
    } else if (byte === CR) {
      this.#state = "sizeEnd";
    } else if (byte === SEMICOLON) {
      this.#state = "extension";
    } else {
      throw badChunk();
    }
  }

  /** One byte of a line that is not looked at; its CR leads on. */
  #passOver(byte: number, then: State): void {
    if (byte === CR) this.#state = then;
    else if (byte === LF) throw badChunk();
  }

  #expect(byte: number, wanted: number, then: State): void {
    if (byte !== wanted) throw badChunk();
    this.#state = then;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

function badChunk(): Error {
  return badResponse("the body of the answer is not chunked as it says");
}
