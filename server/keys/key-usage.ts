import type { Db } from "#db/client.ts";
import { type ApiKeyRow, touchApiKeys } from "#db/queries/keys.ts";
import type { Logger } from "../log/logger.ts";

const NOTE_EVERY_MS = 60_000;
const WRITE_AFTER_MS = 1_000;

/**
 * Notes when keys were last used, each once a minute at most: no request waits for it, and what a second brings is one
 * statement. While the database is away nothing is noted.
 */
export class KeyUsage {
  readonly #db: Db;
  readonly #log: Logger;
  #uses = new Map<string, { tenantId: string; id: string; at: Date }>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ db, log }: { db: Db; log: Logger }) {
    this.#db = db;
    this.#log = log;
  }

  note({ tenantId, id, lastUsedAt }: ApiKeyRow, at: Date): void {
    if (lastUsedAt && lastUsedAt.getTime() > at.getTime() - NOTE_EVERY_MS) return;
    this.#uses.set(id, { tenantId, id, at });
    this.#timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref();
  }

  /** Writes down what has been noted; never rejects. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#uses.values()];
    this.#uses = new Map();
    if (uses.length === 0) return;
    await touchApiKeys(this.#db, uses).catch((error: unknown) =>
      this.#log.debug({ err: error }, "the use of API keys was not noted"),
    );
  }
}
