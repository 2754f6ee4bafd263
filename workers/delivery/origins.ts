import { Channel } from "./channel.ts";
import type { Exchange } from "./exchange.ts";
import type { GuardOptions } from "./guard-connector.ts";

export interface Origin {
  /** Scheme, host and port. */
  readonly name: string;
  channels: number;
  /** The one used last is taken first, so that the others may close. */
  readonly idle: Channel[];
  readonly waiting: Exchange[];
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

  /** Sends the request of an exchange to an origin, on a connection that stands if there is one. */
  dispatch(name: string, exchange: Exchange): void {
    let origin = this.#origins.get(name);
    if (!origin) {
      origin = { name, channels: 0, idle: [], waiting: [] };
      this.#origins.set(name, origin);
    }
    const channel = origin.idle.pop();
    if (channel) {
      this.#idle.delete(channel);
      channel.run(exchange);
    } else if (origin.channels < this.#maxConnectionsPerOrigin) {
      this.#open(origin).run(exchange);
    } else {
      origin.waiting.push(exchange);
    }
  }

  /** Takes a channel back whose exchange has ended; one that is not at the end of a whole answer is closed. */
  release(channel: Channel, isClean: boolean): void {
    const { origin } = channel;
    const isReusable = isClean && channel.isReusable;
    channel.end();
    if (!isReusable) this.#close(channel, isClean);
    const next = nextOf(origin.waiting);
    if (next) (isReusable ? channel : this.#open(origin)).run(next);
    else if (isReusable) this.#keep(channel);
    else this.#forgetIfUnused(origin);
  }

  /** Closes every idle connection. */
  closeIdle(): void {
    for (const channel of this.#idle) this.#dropIdle(channel);
  }

  #open(origin: Origin): Channel {
    origin.channels++;
    return new Channel(origin, this.#guard, (closed) => this.#dropIdle(closed));
  }

  #close(channel: Channel, isClean: boolean): void {
    channel.origin.channels--;
    channel.destroy(isClean);
  }

  #keep(channel: Channel): void {
    channel.origin.idle.push(channel);
    this.#idle.add(channel);
    const [oldest] = this.#idle;
    if (oldest && this.#idle.size > this.#maxIdleConnections) this.#dropIdle(oldest);
  }

  #dropIdle(channel: Channel): void {
    if (!this.#idle.delete(channel)) return;
    const { origin } = channel;
    origin.idle.splice(origin.idle.indexOf(channel), 1);
    this.#close(channel, true);
    this.#forgetIfUnused(origin);
  }

  #forgetIfUnused(origin: Origin): void {
    if (origin.channels === 0) this.#origins.delete(origin.name);
  }
}

/** The exchange that has waited longest and whose time is not over. */
function nextOf(waiting: Exchange[]): Exchange | undefined {
  let next = waiting.shift();
  while (next?.isFinished) next = waiting.shift();
  return next;
}
