import { setImmediate } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { type ApiKeyRow, findApiKeys } from "#db/queries/keys.ts";

/**
 * Reads API keys as they are now. Requests that come while a look-up is under way wait for the next one, which asks for
 * all their keys at once; no row is kept, so a key that is revoked is refused from then on.
 */
export class KeyReader {
  readonly #db: Db;
  #asked = new Map<string, PromiseWithResolvers<ApiKeyRow | undefined>>();
  #reading = false;

  constructor(db: Db) {
    this.#db = db;
  }

  find(publicId: string): Promise<ApiKeyRow | undefined> {
    const asked = this.#asked.get(publicId) ?? Promise.withResolvers<ApiKeyRow | undefined>();
    this.#asked.set(publicId, asked);
    if (!this.#reading) void this.#read();
    return asked.promise;
  }

  async #read(): Promise<void> {
    this.#reading = true;
    while (this.#asked.size > 0) {
      // Whom the same look at the sockets has brought comes along.
      await setImmediate();
      const asked = this.#asked;
      this.#asked = new Map();
      try {
        const rows = await findApiKeys(this.#db, [...asked.keys()]);
        const byId = new Map(rows.map((row) => [row.publicId, row]));
        for (const [publicId, { resolve }] of asked) resolve(byId.get(publicId));
      } catch (error) {
        for (const { reject } of asked.values()) reject(error);
      }
    }
    this.#reading = false;
  }
}
