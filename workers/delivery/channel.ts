import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { Client } from "undici";
import type { Exchange } from "./exchange.ts";
import { GuardedConnection, type GuardOptions } from "./guard-connector.ts";
import type { Origin } from "./origins.ts";

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

/**
 * Bytes of one answer that are parsed at most. Headers and body have tighter limits of their own; this ends what
 * counts as neither, such as endless interim answers.
 */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Bytes that undici's parser gets at a time. It stops only between two portions: given 64 KiB of tiny headers, it
 * makes an error for each one beyond its limit, which stalls the process for half a second.
 */
const PORTION_BYTES = 2 * 1024;

/** One connection at a time to one origin, one exchange at a time on it. Connects by itself when it has to. */
export class Channel {
  readonly origin: Origin;
  /** The latest connection; null before the first. */
  connection: GuardedConnection | null = null;
  readonly #client: Client;
  #exchange: Exchange | null = null;
  #isUsed = false;
  #answerBytes = 0;

  /** `onIdleClose` is told when the peer or the keep-alive timer has closed the connection between exchanges. */
  constructor(origin: Origin, guard: GuardOptions, onIdleClose: (channel: Channel) => void) {
    this.origin = origin;
    this.#client = new Client(origin.name, {
      ...CLIENT_OPTIONS,
      connect: (target, callback) => {
        this.#isUsed = false;
        this.connection = new GuardedConnection(target, guard, (error, socket) => {
          if (error) return callback(error, null);
          this.#meter(socket);
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

  /** Closes the connection in whatever state it is; `isClean` when nothing is under way on it. */
  destroy(isClean: boolean): void {
    const error = new Error("The channel was closed.");
    this.#exchange = null;
    if (!isClean) this.connection?.reset();
    this.connection?.abort(error);
    this.#client.destroy(error, () => {});
  }

  /** Has undici read the socket in portions, and no more than an answer may have. */
  #meter(socket: Socket): void {
    const read = socket.read;
    socket.read = (size) => {
      // With a size it is node that asks.
      if (size !== undefined || socket.readableLength === 0) return read.call(socket, size);
      if (socket.destroyed || this.#answerBytes > MAX_ANSWER_BYTES) return null;
      const chunk = read.call(socket, Math.min(socket.readableLength, PORTION_BYTES));
      this.#answerBytes += chunk?.length ?? 0;
      if (this.#answerBytes > MAX_ANSWER_BYTES) this.#exchange?.onFlood();
      return chunk;
    };
  }
}
