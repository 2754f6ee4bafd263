import type { Db } from "#db/client.ts";
import { noteUses, type Use } from "#db/queries/keys.ts";
import type { Logger } from "../log/logger.ts";

const NOTE_EVERY_MS = 60_000;
const WRITE_AFTER_MS = 1_000;

/** What somebody has authenticated by: an API key, or a link to the portal. */
export interface Credential {
  kind: "key" | "portal";
  tenantId: string;
  id: string;
  lastUsedAt: Date | null;
}

const TABLES = { key: "api_keys", portal: "portal_links" } as const;

/**
 * Notes when keys and links were last used, each once a minute at most: no request waits for it, and what a second brings is one
 * statement for either. While the database is away nothing is noted.
 */
export class KeyUsage {
  readonly #db: Db;
  readonly #log: Logger;
  #uses = new Map<string, Use & Pick<Credential, "kind">>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ db, log }: { db: Db; log: Logger }) {
    this.#db = db;
    this.#log = log;
  }

  note({ kind, tenantId, id, lastUsedAt }: Credential, at: Date): void {
    if (lastUsedAt && lastUsedAt.getTime() > at.getTime() - NOTE_EVERY_MS) return;
    this.#uses.set(id, { kind, tenantId, id, at });
    this.#timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref();
  }

  /** Writes down what has been noted; never rejects. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#uses.values()];
    this.#uses = new Map();
    for (const kind of ["key", "portal"] as const) {
      const ofKind = uses.filter((use) => use.kind === kind);
      if (ofKind.length === 0) continue;
      await noteUses(this.#db, TABLES[kind], ofKind).catch((error: unknown) =>
        this.#log.debug({ err: error }, "a use was not noted"),
      );
    }
  }
}
