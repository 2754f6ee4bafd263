import { setTimeout as delay } from "node:timers/promises";
import { openSession, type Session } from "#db/session.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#server/runtime/postgres/embedded-postgres.ts";

const PAUSE_MS = 500;
const MAX_STARTS = 5;

/** The embedded PostgreSQL of a running installation: it is started again when it dies, at the same URL. */
export class Database {
  readonly #dataDir: string;
  readonly #onGone: (text: string) => void;
  #server: EmbeddedPostgres;
  #session: Session | undefined;
  #stopping = false;

  private constructor(dataDir: string, server: EmbeddedPostgres, onGone: (text: string) => void) {
    this.#dataDir = dataDir;
    this.#server = server;
    this.#onGone = onGone;
  }

  /** Starts it, or adopts it. `onGone` is told when it keeps dying. */
  static async open(
    dataDir: string,
    options: { say(text: string): void; onGone(text: string): void },
  ): Promise<Database> {
    const server = await startEmbeddedPostgres({ dataDir, onProgress: options.say });
    const database = new Database(dataDir, server, options.onGone);
    await database.#watch();
    return database;
  }

  get url(): string {
    return this.#server.url;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#session?.close().catch(() => {});
    await this.#server.stop();
  }

  /** A connection that ends is how its death is noticed at once. */
  async #watch(): Promise<void> {
    this.#session = await openSession(this.url, "watch");
    void this.#session.ended.then(() => this.#revive());
  }

  async #revive(): Promise<void> {
    for (let starts = 0; !this.#stopping; starts++) {
      try {
        // Only this connection may have been cut.
        return await this.#watch();
      } catch {
        if (this.#stopping) return;
        if (starts === MAX_STARTS)
          return this.#onGone("The embedded PostgreSQL keeps dying; see its log in the data folder.");
        console.error("The embedded PostgreSQL is gone; it is started again.");
        await this.#restart().catch((error: unknown) =>
          console.error(error instanceof Error ? error.message : error),
        );
        await delay(PAUSE_MS);
      }
    }
  }

  async #restart(): Promise<void> {
    await this.#server.stop().catch(() => {});
    this.#server = await startEmbeddedPostgres({ dataDir: this.#dataDir });
  }
}
