import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connect } from "#db/client.ts";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#server/runtime/postgres/embedded-postgres.ts";

import { patiently } from "./patiently.ts";

/** How a server ends: with its clients cut but in good order, at once without a checkpoint, or without a chance. */
export type Ending = "SIGINT" | "SIGQUIT" | "SIGKILL";

const TEMPLATE = "chaos_template";

/** A PostgreSQL server of the run's own, which can be stopped and started. */
export class ChaosServer {
  readonly #dataDir: string;
  #server: EmbeddedPostgres;
  #clusterDir = "";
  #made = 0;
  #isRestarting = false;

  private constructor(dataDir: string, server: EmbeddedPostgres) {
    this.#dataDir = dataDir;
    this.#server = server;
  }

  /** Starts a server in a temporary folder, with a migrated database to be copied. */
  static async start(): Promise<ChaosServer> {
    const dataDir = await mkdtemp(join(tmpdir(), "posthorn-chaos-"));
    await chmod(dataDir, 0o755);
    const started = new ChaosServer(dataDir, await startEmbeddedPostgres({ dataDir }));
    try {
      const [row] = await started.query("show data_directory");
      started.#clusterDir = String(row?.data_directory);
      await started.query(`create database ${TEMPLATE}`);
      await migrateDatabase(started.urlOf(TEMPLATE));
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  get port(): number {
    return Number(new URL(this.#server.url).port);
  }

  urlOf(database: string): string {
    const url = new URL(this.#server.url);
    url.pathname = `/${database}`;
    return url.href;
  }

  /** The password that is in every URL. */
  get password(): string {
    return new URL(this.#server.url).password;
  }

  /** Makes a migrated, empty database; gives its name. */
  async createDatabase(): Promise<string> {
    const name = `chaos_${++this.#made}`;
    await this.query(`create database ${name} template ${TEMPLATE}`);
    return name;
  }

  async query(text: string): Promise<Record<string, unknown>[]> {
    const db = connect(this.#server.url, { name: "chaos", maxConnections: 1 });
    try {
      return await patiently(() => db.query(text));
    } finally {
      await db.close();
    }
  }

  /** Ends the server and starts it again after a pause; while that is under way another restart comes to nothing. */
  async restart(ending: Ending, pauseMs: number): Promise<void> {
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    const lockFile = await readFile(join(this.#clusterDir, "postmaster.pid"), "utf8");
    if (ending !== "SIGINT") process.kill(Number(lockFile.split("\n", 1)[0]), ending);
    await this.#server.stop();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    this.#server = await startEmbeddedPostgres({ dataDir: this.#dataDir });
    this.#isRestarting = false;
  }

  /** What the server itself has logged. */
  log(): Promise<string> {
    return readFile(join(dirname(this.#clusterDir), "postgres.log"), "utf8");
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
