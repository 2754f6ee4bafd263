import type { Conn } from "#db/client.ts";

/** The channel on which web processes hear whose deliveries have changed; it carries plain ids of tenants. */
export const CHANGE_CHANNEL = "posthorn_change";

const EVERY_MS = 250;
/** A notification carries less than 8,000 bytes; of more tenants than that, everybody looks. */
const MAX_TENANTS = 200;

/** Stands for every tenant. */
export const ALL_TENANTS = "*";

/**
 * Tells web processes whose deliveries have changed, so that their pages look again: four times a second at most, in a
 * transaction of its own. A notification that is lost costs nothing but the time until the next look.
 */
export class ChangeTeller {
  readonly #conn: Conn;
  #tenantIds = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(conn: Conn) {
    this.#conn = conn;
  }

  /** To be called when it is committed. */
  note(tenantId: string): void {
    this.#tenantIds.add(tenantId);
    this.#timer ??= setTimeout(() => void this.#tell(), EVERY_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #tell(): Promise<void> {
    const tenantIds = [...this.#tenantIds];
    this.#tenantIds = new Set();
    const whose = tenantIds.length > MAX_TENANTS ? ALL_TENANTS : tenantIds.join(" ");
    await this.#conn.query("select pg_notify($1, $2)", [CHANGE_CHANNEL, whose]).catch(() => {});
    this.#timer = undefined;
    const [next] = this.#tenantIds;
    if (next !== undefined) this.note(next);
  }
}
