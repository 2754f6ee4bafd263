import { performance } from "node:perf_hooks";
import type { Exchange } from "./exchange.ts";
import { type ConnectionEvents, GuardedConnection, type GuardOptions } from "./guard-connector.ts";
import type { Origin } from "./origins.ts";
import { SendError } from "./send-error.ts";

/** A connection is left after this time, so that a change in DNS is followed. */
const MAX_CONNECTION_AGE_MS = 5 * 60_000;

/** An idle connection is closed after this time, where the peer has not said when it will do so. */
const IDLE_MS = 4000;
const MAX_IDLE_MS = 30_000;
/** So much earlier than the peer says: a request must not meet the closing of its connection. */
const IDLE_MARGIN_MS = 1000;

/** A body up to this size is copied behind its head, and both go out in one piece. */
const COPIED_BODY_BYTES = 16 * 1024;

const CLOSED = new SendError("connection_reset", "the connection was closed");

/** One connection to one origin, with one exchange at a time on it. */
export class Channel implements ConnectionEvents {
  readonly origin: Origin;
  readonly connection: GuardedConnection;
  /** How many it has carried, the one under way among them. */
  exchanges = 0;
  /** When it is to be closed unless it is used before, on the clock of `performance.now()`. */
  idleUntil = 0;
  readonly #onIdleClose: (channel: Channel) => void;
  #exchange: Exchange | null = null;

  /** Connects. `onIdleClose` is told when the connection ends, or cannot be used any more, between exchanges. */
  constructor(origin: Origin, guard: GuardOptions, onIdleClose: (channel: Channel) => void) {
    this.origin = origin;
    this.#onIdleClose = onIdleClose;
    this.connection = new GuardedConnection(origin.peer, guard, this);
  }

  /** Sends the request of an exchange, which must be taken off by `end` before the next. */
  run(exchange: Exchange): void {
    this.#exchange = exchange;
    this.exchanges++;
    exchange.channel = this;
    this.#send();
  }

  /**
   * Takes the exchange off that has ended; `isClean` when its answer was whole. Gives whether the connection can carry
   * another, and notes until when.
   */
  end(isClean: boolean): boolean {
    const answer = this.#exchange?.answer;
    this.#exchange = null;
    const { socket, openedAt } = this.connection;
    if (!isClean || !socket || socket.destroyed || !answer?.head?.keepsConnection || answer.hasExcess)
      return false;
    // An answer before the whole request was sent: what is left of it would precede the next request.
    if (socket.writableLength > 0) return false;
    const { keepAliveMs } = answer.head;
    const idleMs = keepAliveMs === null ? IDLE_MS : Math.min(keepAliveMs - IDLE_MARGIN_MS, MAX_IDLE_MS);
    const now = performance.now();
    this.idleUntil = now + idleMs;
    return idleMs > 0 && now - openedAt < MAX_CONNECTION_AGE_MS;
  }

  /** Closes the connection in whatever state it is; `isClean` when nothing is under way on it. */
  destroy(isClean: boolean): void {
    this.#exchange = null;
    if (!isClean) this.connection.reset();
    this.connection.abort(new Error("The channel was closed."));
  }

  onOpen(): void {
    this.#send();
  }

  onBytes(bytes: Buffer): void {
    if (this.#exchange) this.#exchange.onBytes(bytes);
    else this.#onIdleClose(this);
  }

  onEnd(): void {
    if (this.#exchange) this.#exchange.onEnd();
    else this.#onIdleClose(this);
  }

  onClose(error: Error | null): void {
    if (this.#exchange) this.#exchange.onError(error ?? CLOSED);
    else this.#onIdleClose(this);
  }

  #send(): void {
    const { socket } = this.connection;
    const exchange = this.#exchange;
    if (!socket || !exchange) return;
    const { head, body } = exchange;
    exchange.onSend();
    if (body.length > COPIED_BODY_BYTES) {
      socket.cork();
      socket.write(head, "latin1");
      socket.write(body);
      socket.uncork();
    } else {
      const bytes = Buffer.allocUnsafe(head.length + body.length);
      bytes.write(head, "latin1");
      bytes.set(body, head.length);
      socket.write(bytes);
    }
  }
}
