import { type AnswerHead, type ParseHead, parseAnswerHead } from "./answer-head.ts";
import { ChunkedBody } from "./chunked-body.ts";
import { badResponse, SendError } from "./send-error.ts";

const KEPT_BODY_BYTES = 4 * 1024;
const READ_BODY_BYTES = 16 * 1024;
const MAX_HEAD_BYTES = 16 * 1024;
/** Of one answer in all. This ends what is neither head nor body, such as endless interim answers or extensions of chunks. */
const MAX_ANSWER_BYTES = 64 * 1024;

const CR = 0x0d;
const LF = 0x0a;
const END_OF_HEAD = Buffer.from("\r\n\r\n");
const BEGINNING = "HTTP/";
const NOTHING = Buffer.alloc(0);

/**
 * Reads one answer of HTTP/1.1 as its bytes come (RFC 9112), and keeps little of it: a few headers and the first 4 KiB of
 * the body. Interim answers are passed over. `head` counts from the moment it is there, whatever becomes of the body.
 */
export class AnswerReader {
  /** Of the final answer; null until all of it is there. */
  head: Readonly<AnswerHead> | null = null;
  /** Whether the answer has come to its end. */
  isComplete = false;
  /** Whether there was something behind its end: what it belongs to, nobody asked for. */
  hasExcess = false;
  /** Of the body, as far as it was read. */
  bodyBytes = 0;
  #kept: Buffer[] = [];
  /** A head of which only a part has come. */
  #part: Buffer = NOTHING;
  #totalBytes = 0;
  /** What is still to come of a body that is not chunked. */
  #left = 0;
  #chunked: ChunkedBody | null = null;

  /** The first 4 KiB of the body at most. */
  get body(): Buffer {
    const [first] = this.#kept;
    return this.#kept.length === 1 && first ? first : Buffer.concat(this.#kept);
  }

  /** Whether the body goes on beyond what is kept of it. */
  get isCut(): boolean {
    return this.bodyBytes > KEPT_BODY_BYTES;
  }

  /**
   * Takes the next bytes; they may be written over afterwards. `parse` reads the heads among them. Throws a `SendError` of
   * `bad_response` for what is no answer or too much of one: nothing may be given to it after that.
   */
  push(bytes: Buffer, parse: ParseHead = parseAnswerHead): void {
    this.#totalBytes += bytes.length;
    const given = this.#part.length > 0 ? Buffer.concat([this.#part, bytes]) : bytes;
    const bodyAt = this.head ? 0 : this.#readHeads(given, parse);
    const unreadAt = this.head && !this.isComplete ? this.#readBody(given, bodyAt) : bodyAt;
    if (this.isComplete) this.hasExcess ||= unreadAt < given.length;
    else if (this.#totalBytes > MAX_ANSWER_BYTES) throw badResponse("the answer does not end");
  }

  /** The peer has sent its last byte. Throws `connection_reset` unless this is how the answer ends. */
  end(): void {
    if (this.head?.framing.kind !== "close") throw new SendError("connection_reset", "the answer broke off");
    this.isComplete = true;
  }

  /** Reads interim heads and the final one. Gives the place where the body begins; with no final head yet, the end. */
  #readHeads(bytes: Buffer, parse: ParseHead): number {
    // What was there before has been searched; the last three of it may be a beginning of the end.
    let from = Math.max(0, this.#part.length - END_OF_HEAD.length + 1);
    let at = 0;
    while (!this.head) {
      // Empty lines before an answer are passed over, as RFC 9112 §2.2 has servers do it.
      while (bytes[at] === CR || bytes[at] === LF) at++;
      const end = bytes.indexOf(END_OF_HEAD, Math.max(at, from));
      if ((end === -1 ? bytes.length : end) - at > MAX_HEAD_BYTES)
        throw badResponse("the head of the answer is too long");
      if (end === -1) return this.#keepPart(bytes, at);
      this.#take(parse(bytes.toString("latin1", at, end)));
      at = end + END_OF_HEAD.length;
      from = at;
    }
    this.#part = NOTHING;
    return at;
  }

  #take(head: Readonly<AnswerHead>): void {
    if (head.status === 101) throw badResponse("the answer switches protocols");
    if (head.status < 200) return;
    this.head = head;
    this.#left = head.framing.kind === "length" ? head.framing.bytes : Number.POSITIVE_INFINITY;
    if (head.framing.kind === "chunked") this.#chunked = new ChunkedBody();
    this.isComplete = this.#left === 0;
  }

  #keepPart(bytes: Buffer, at: number): number {
    this.#part = Buffer.from(bytes.subarray(at));
    // Said at once: what speaks another protocol may wait for us to speak.
    const beginning = this.#part.toString("latin1", 0, BEGINNING.length);
    if (!BEGINNING.startsWith(beginning)) throw badResponse("the answer does not begin as HTTP does");
    return bytes.length;
  }

  /** Gives the place after the last byte that it read. */
  #readBody(bytes: Buffer, at: number): number {
    if (this.#chunked) {
      const end = this.#chunked.read(bytes, at, (from, to) => this.#keep(bytes, from, to));
      this.isComplete = this.#chunked.isComplete;
      return end;
    }
    const end = Math.min(bytes.length, at + this.#left);
    this.#keep(bytes, at, end);
    this.#left -= end - at;
    this.isComplete = this.#left === 0;
    return end;
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    const room = KEPT_BODY_BYTES - this.bodyBytes;
    if (room > 0 && to > from) this.#kept.push(Buffer.from(bytes.subarray(from, Math.min(to, from + room))));
    this.bodyBytes += to - from;
    if (this.bodyBytes > READ_BODY_BYTES) throw badResponse("the body of the answer is too long");
  }
}
