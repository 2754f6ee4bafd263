import { timingSafeEqual } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { API_KEY_SCOPES, type Scope } from "#contracts/scopes.ts";
import type { Db } from "#db/client.ts";
import { type ApiKeyRow, findApiKeys } from "#db/queries/keys.ts";
import { type ApiKeyParts, parseApiKey } from "../domain/api-key.ts";

/** A key as it is now; it may be revoked or have expired. */
export interface FoundKey {
  row: ApiKeyRow;
  scopes: ReadonlySet<Scope>;
}

interface Asked {
  parts: ApiKeyParts;
  answer: PromiseWithResolvers<FoundKey | undefined>;
}

const NO_HASH = Buffer.alloc(32);
const SCOPES = new Set<string>(API_KEY_SCOPES);

/**
 * Reads API keys as they are now. Requests that come while a look-up is under way wait for the next one, which asks for
 * all their keys at once; no row is kept, so a key that is revoked is refused from then on. Nor is a text kept for longer
 * than that: those who present the same one at the same time have it read and hashed once.
 */
export class KeyReader {
  readonly #db: Db;
  #asked = new Map<string, Asked>();
  #reading = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The key that was presented; `undefined` alike for one that is malformed, unknown or wrong. */
  async find(text: string): Promise<FoundKey | undefined> {
    const asked = this.#asked.get(text) ?? this.#ask(text);
    return asked?.answer.promise;
  }

  #ask(text: string): Asked | undefined {
    const parts = parseApiKey(text);
    if (!parts) return undefined;
    const asked = { parts, answer: Promise.withResolvers<FoundKey | undefined>() };
    this.#asked.set(text, asked);
    if (!this.#reading) void this.#read();
    return asked;
  }

  async #read(): Promise<void> {
    this.#reading = true;
    while (this.#asked.size > 0) {
      // Whom the same look at the sockets has brought comes along.
      await setImmediate();
      const asked = [...this.#asked.values()];
      this.#asked = new Map();
      try {
        const ids = new Set(asked.map(({ parts }) => parts.publicId));
        const rows = await findApiKeys(this.#db, [...ids]);
        const byId = new Map(rows.map((row) => [row.publicId, row]));
        for (const { parts, answer } of asked) answer.resolve(found(byId.get(parts.publicId), parts));
      } catch (error) {
        for (const { answer } of asked) answer.reject(error);
      }
    }
    this.#reading = false;
  }
}

function found(row: ApiKeyRow | undefined, { secretHash }: ApiKeyParts): FoundKey | undefined {
  const matches = timingSafeEqual(row?.secretHash ?? NO_HASH, secretHash);
  if (!row || !matches) return undefined;
  return { row, scopes: new Set(row.scopes.filter((scope): scope is Scope => SCOPES.has(scope))) };
}
