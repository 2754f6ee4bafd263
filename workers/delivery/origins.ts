import { Channel } from "./channel.ts";
import type { Exchange } from "./exchange.ts";
import type { GuardOptions } from "./guard-connector.ts";

interface Origin {
  channels: number;
  /** The one used last is taken first, so that the others may close. */
  idle: Channel[];
  waiting: Exchange[];
}

/**
 * The connections of a sender: up to `maxConnectionsPerOrigin` to each origin, exchanges beyond that wait their turn;
 * up to `maxIdleConnections` kept alive over all origins, the one unused for longest closed first. An origin without
 * connections is forgotten.
 */
export class Origins {
  readonly #guard: GuardOptions;
  readonly #maxConnectionsPerOrigin: number;
  readonly #maxIdleConnections: number;
  readonly #origins = new Map<string, Origin>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Channel>();

  constructor(guard: GuardOptions, limits: { maxConnectionsPerOrigin: number; maxIdleConnections: number }) {
    this.#guard = guard;
    this.#maxConnectionsPerOrigin = limits.maxConnectionsPerOrigin;
    this.#maxIdleConnections = limits.maxIdleConnections;
  }

  dispatch(name: string, exchange: Exchange): void {
    const origin = this.#origin(name);
    const channel = origin.idle.pop();
    if (channel) {
      this.#idle.delete(channel);
      channel.run(exchange);
    } else if (origin.channels < this.#maxConnectionsPerOrigin) {
      origin.channels++;
      new Channel(name, this.#guard, (closed) => this.#drop(closed)).run(exchange);
    } else {
      origin.waiting.push(exchange);
    }
  }

  /** Takes a channel back whose exchange has ended; one that is not clean is closed. */
  release(channel: Channel, isClean: boolean): void {
    const origin = this.#origin(channel.origin);
    const isReusable = isClean && channel.isReusable;
    channel.end();
    if (!isReusable) {
      channel.destroy();
      origin.channels--;
    }
    const next = nextOf(origin.waiting);
    if (next) {
      if (isReusable) channel.run(next);
      else this.dispatch(channel.origin, next);
    } else if (isReusable) {
      this.#keep(origin, channel);
    } else if (origin.channels === 0) {
      this.#origins.delete(channel.origin);
    }
  }

  /** Closes every idle connection. */
  closeIdle(): void {
    for (const channel of [...this.#idle]) this.#drop(channel);
  }

  #origin(name: string): Origin {
    let origin = this.#origins.get(name);
    if (!origin) {
      origin = { channels: 0, idle: [], waiting: [] };
      this.#origins.set(name, origin);
    }
    return origin;
  }

  #keep(origin: Origin, channel: Channel): void {
    origin.idle.push(channel);
    this.#idle.add(channel);
    const [oldest] = this.#idle;
    if (oldest && this.#idle.size > this.#maxIdleConnections) this.#drop(oldest);
  }

  /** Closes and forgets an idle channel. */
  #drop(channel: Channel): void {
    if (!this.#idle.delete(channel)) return;
    const origin = this.#origin(channel.origin);
    origin.idle.splice(origin.idle.indexOf(channel), 1);
    channel.destroy();
    origin.channels--;
    if (origin.channels === 0) this.#origins.delete(channel.origin);
  }
}

/** The exchange that has waited longest and whose time is not over. */
function nextOf(waiting: Exchange[]): Exchange | undefined {
  let next = waiting.shift();
  while (next?.isFinished) next = waiting.shift();
  return next;
}
