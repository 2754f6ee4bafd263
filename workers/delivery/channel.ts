import { performance } from "node:perf_hooks";
import { Client } from "undici";
import type { Exchange } from "./exchange.ts";
import { GuardedConnection, type GuardOptions } from "./guard-connector.ts";

const CLIENT_OPTIONS = {
  pipelining: 1,
  allowH2: false,
  maxHeaderSize: 16 * 1024,
  // The deadline of the exchange covers both; undici's timers are coarse.
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 4000,
  keepAliveMaxTimeout: 30_000,
};

/** A connection is left after this time, so that a change in DNS is followed. */
const MAX_CONNECTION_AGE_MS = 5 * 60_000;

/** Bytes of one answer that are parsed at most. Headers and body have limits of their own; this ends all other floods. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** One connection at a time to one origin, one exchange at a time on it. Connects by itself when it has to. */
export class Channel {
  readonly origin: string;
  /** The latest connection; null before the first. */
  connection: GuardedConnection | null = null;
  readonly #client: Client;
  #exchange: Exchange | null = null;
  #isUsed = false;
  #answerBytes = 0;

  /** `onIdleClose` is told when the peer or the keep-alive timer has closed the connection between exchanges. */
  constructor(origin: string, guard: GuardOptions, onIdleClose: (channel: Channel) => void) {
    this.origin = origin;
    this.#client = new Client(origin, {
      ...CLIENT_OPTIONS,
      connect: (target, callback) => {
        this.#isUsed = false;
        this.connection = new GuardedConnection(target, guard, (error, socket) => {
          if (error) return callback(error, null);
          socket.on("readable", () => this.#limit(socket.readableLength));
          callback(null, socket);
        });
      },
    });
    this.#client.on("disconnect", () => {
      if (!this.#exchange) onIdleClose(this);
    });
  }

  /** Sends the request of an exchange, which must come to `end` before the next. */
  run(exchange: Exchange): void {
    this.#exchange = exchange;
    exchange.channel = this;
    this.#client.dispatch(exchange.dispatchOptions, exchange);
  }

  /** Told by the exchange when its request is being written. Gives whether the connection was made for it. */
  begin(): boolean {
    const isFresh = !this.#isUsed;
    this.#isUsed = true;
    this.#answerBytes = 0;
    return isFresh;
  }

  /** Whether the connection can carry another exchange after one that ended with a whole answer. */
  get isReusable(): boolean {
    const socket = this.connection?.socket;
    if (!this.connection || !socket || socket.destroyed) return false;
    // An answer before the whole request was sent: what is left of it would precede the next request.
    if (socket.writableLength > 0) return false;
    return performance.now() - this.connection.openedAt < MAX_CONNECTION_AGE_MS;
  }

  end(): void {
    this.#exchange = null;
  }

  /** Closes the connection in whatever state it is. */
  destroy(): void {
    const error = new Error("The channel was closed.");
    this.#exchange = null;
    this.connection?.abort(error);
    this.#client.destroy(error, () => {});
  }

  #limit(bytes: number): void {
    if (this.#answerBytes > MAX_ANSWER_BYTES) this.#exchange?.onFlood();
    this.#answerBytes += bytes;
  }
}
