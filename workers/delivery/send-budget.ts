import { Line } from "./turns.ts";

/** So small a body is never waited for: of these the number of requests bounds the bytes. */
const SMALL_BYTES = 4_096;

/** So many times the bytes of a budget may hang. Beyond that what is quick waits too, but for small bodies: memory has an end. */
export const HANGING = 4;

/**
 * How many requests, and bytes of their bodies, may be under way. Who does not fit by its bytes waits in `line` and goes
 * before all others that are not small, so that large bodies are not starved by smaller ones.
 */
export class SendBudget<L> {
  readonly line = new Line<L>();
  readonly #maxRequests: number;
  readonly #maxBytes: number;
  readonly #isHeldBack: () => boolean;
  #requests = 0;
  #bytes = 0;

  /** `isHeldBack`: whether nothing that is not small may begin right now, whatever room there is. */
  constructor(max: { requests: number; bytes: number }, isHeldBack: () => boolean = () => false) {
    this.#maxRequests = max.requests;
    this.#maxBytes = max.bytes;
    this.#isHeldBack = isHeldBack;
  }

  get hasRoom(): boolean {
    return this.#requests < this.#maxRequests;
  }

  get bytes(): number {
    return this.#bytes;
  }

  fits(bytes: number): boolean {
    return bytes <= SMALL_BYTES || (this.#bytes + bytes <= this.#maxBytes && !this.#isHeldBack());
  }

  /** Whether it has to get in line: it does not fit, or others that are not small came first. */
  mustWait(bytes: number): boolean {
    return bytes > SMALL_BYTES && (this.line.first !== undefined || !this.fits(bytes));
  }

  take(bytes: number): void {
    this.#requests++;
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#requests--;
    this.#bytes -= bytes;
  }

  /** Counts bytes of requests that do not count themselves; negative when they have ended. */
  carry(bytes: number): void {
    this.#bytes += bytes;
  }
}
