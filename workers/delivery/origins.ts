import { performance } from "node:perf_hooks";
import { headParser, type ParseHead } from "./answer-head.ts";
import { Channel } from "./channel.ts";
import type { Exchange } from "./exchange.ts";
import type { GuardOptions, Peer } from "./guard-connector.ts";
import type { Target } from "./request-head.ts";

/** How often idle connections are looked through for those that have been so for long enough. */
const LOOK_EVERY_MS = 500;

export interface Origin {
  /** Scheme, host and port. */
  readonly name: string;
  readonly peer: Peer;
  /** Reads the heads of its answers. */
  readonly parseHead: ParseHead;
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
  /** In the order in which they became idle. They are the same again and again, so that nothing stays behind (see `Bag`). */
  readonly #idle = new Set<Channel>();
  #timer: NodeJS.Timeout | null = null;

  constructor(guard: GuardOptions, limits: { maxConnectionsPerOrigin: number; maxIdleConnections: number }) {
    this.#guard = guard;
    this.#maxConnectionsPerOrigin = limits.maxConnectionsPerOrigin;
    this.#maxIdleConnections = limits.maxIdleConnections;
  }

  /** Sends the request of an exchange to an origin, on a connection that stands if there is one. */
  dispatch({ origin: name, peer }: Pick<Target, "origin" | "peer">, exchange: Exchange): void {
    let origin = this.#origins.get(name);
    if (!origin) {
      origin = { name, peer, parseHead: headParser(), channels: 0, idle: [], waiting: [] };
      this.#origins.set(name, origin);
    }
    const channel = this.#takeIdle(origin);
    if (channel) channel.run(exchange);
    else if (origin.channels < this.#maxConnectionsPerOrigin) this.#open(origin).run(exchange);
    else origin.waiting.push(exchange);
  }

  /** Takes a channel back whose exchange has ended; one that is not at the end of a whole answer is closed. */
  release(channel: Channel, isClean: boolean): void {
    const { origin } = channel;
    const isReusable = channel.end(isClean);
    if (!isReusable) this.#close(channel, isClean);
    const next = nextOf(origin.waiting);
    if (next) (isReusable ? channel : this.#open(origin)).run(next);
    else if (isReusable) this.#keep(channel);
    else this.#forgetIfUnused(origin);
  }

  /** Closes every idle connection. */
  closeIdle(): void {
    for (const channel of this.#idle) this.#dropIdle(channel);
    this.#look();
  }

  /** One that has not been idle for too long: the peer may close such a one at any moment. */
  #takeIdle(origin: Origin): Channel | undefined {
    const now = performance.now();
    for (let channel = origin.idle.at(-1); channel; channel = origin.idle.at(-1)) {
      this.#leaveIdle(channel);
      if (channel.idleUntil >= now) return channel;
      this.#close(channel, true);
    }
    return undefined;
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
    if (this.#idle.size > this.#maxIdleConnections) {
      const [oldest] = this.#idle;
      if (oldest) this.#dropIdle(oldest);
    }
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  /** Closes what has been idle for long enough. */
  #look(): void {
    const now = performance.now();
    for (const channel of this.#idle) if (channel.idleUntil < now) this.#dropIdle(channel);
    if (this.#idle.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #dropIdle(channel: Channel): void {
    if (!this.#leaveIdle(channel)) return;
    this.#close(channel, true);
    this.#forgetIfUnused(channel.origin);
  }

  /** Gives false when it is not idle. */
  #leaveIdle(channel: Channel): boolean {
    if (!this.#idle.delete(channel)) return false;
    const { idle } = channel.origin;
    if (idle.at(-1) === channel) idle.pop();
    else idle.splice(idle.indexOf(channel), 1);
    return true;
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
