import { setTimeout as delay } from "node:timers/promises";
import { openSession, type Session } from "#db/session.ts";
import type { Logger } from "../log/logger.ts";
import { ALL_TENANTS, CHANGE_CHANNEL } from "./change-teller.ts";

export interface ChangeFeedDeps {
  databaseUrl: string;
  log: Logger;
}

const BEAT_MS = 2_000;
const AGAIN_AFTER_MS = 500;

/**
 * Hears whose deliveries have changed, over one connection of the process that is opened for the first subscriber. When
 * that connection breaks a new one is opened, and everybody is told to look: what was said meanwhile is not known.
 */
export class ChangeFeed {
  readonly #deps: ChangeFeedDeps;
  readonly #subscribers = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;
  #session: Session | undefined;

  constructor(deps: ChangeFeedDeps) {
    this.#deps = deps;
  }

  /** Whether changes are heard right now. */
  get isListening(): boolean {
    return this.#session !== undefined;
  }

  /** Calls `onChange` whenever something of the tenant has changed, or may have; gives what ends that. */
  subscribe(tenantId: string, onChange: () => void): () => void {
    const mine = this.#subscribers.get(tenantId) ?? new Set();
    this.#subscribers.set(tenantId, mine.add(onChange));
    this.#listening ??= this.#listen();
    return () => {
      mine.delete(onChange);
      if (mine.size === 0 && this.#subscribers.get(tenantId) === mine) this.#subscribers.delete(tenantId);
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#session?.close();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#listenOnce().catch((err: unknown) => {
        if (!signal.aborted) this.#deps.log.warn({ err }, "changes are not heard: pages look by the clock");
      });
      this.#session = undefined;
      await delay(AGAIN_AFTER_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Settles when the connection has ended; one that died without a word is noticed by a query now and then. */
  async #listenOnce(): Promise<void> {
    const session = await openSession(this.#deps.databaseUrl, "changes");
    if (this.#closing.signal.aborted) return session.close();
    await session.listen(CHANGE_CHANNEL, (whose) => this.#hear(whose));
    this.#session = session;
    this.#hear(ALL_TENANTS);
    const beat = setInterval(() => void session.query("select 1").catch(() => {}), BEAT_MS);
    await session.ended;
    clearInterval(beat);
  }

  #hear(whose: string): void {
    const tenantIds = whose === ALL_TENANTS ? this.#subscribers.keys() : whose.split(" ");
    for (const tenantId of tenantIds)
      for (const onChange of this.#subscribers.get(tenantId) ?? []) onChange();
  }
}
