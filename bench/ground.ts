import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "#db/client.ts";
import { startEmbeddedPostgres } from "#server/runtime/postgres/embedded-postgres.ts";
import { parentOf } from "./cpu.ts";
import type { Say } from "./report.ts";

/** The PostgreSQL server that benchmarks run on. */
export interface Ground {
  /** What it is, with the settings that decide how durable a commit is. */
  description: string;
  /** Where the server runs on this machine. */
  postmasterPid: number | undefined;
  /** Makes an empty database of its own; `drop` removes it. */
  createDatabase(): Promise<{ url: string; drop(): Promise<void> }>;
  /** Removes every database that is still there. A second call joins the first. */
  close(): Promise<void>;
}

/** Uses the server of DATABASE_URL, or starts the embedded one in a folder that is removed at the end. */
export async function openGround(say: Say): Promise<Ground> {
  const given = process.env.DATABASE_URL;
  const dataDir = given ? undefined : await mkdtemp(join(tmpdir(), "posthorn-bench-"));
  const embedded = dataDir ? await startEmbeddedPostgres({ dataDir, onProgress: say }) : undefined;
  const url = given ?? embedded?.url ?? "";
  const db = connect(url, { name: "bench" });
  const setting = async (name: string) => Object.values((await db.query(`show ${name}`))[0] ?? {})[0];
  const description = `PostgreSQL ${await setting("server_version")}, fsync=${await setting("fsync")}, synchronous_commit=${await setting("synchronous_commit")}`;
  const [session] = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  let made = 0;
  const present = new Set<string>();
  const drop = async (name: string) => {
    await db.query(`drop database if exists ${name} with (force)`);
    present.delete(name);
  };
  let closing: Promise<void> | undefined;
  const close = async () => {
    for (const name of present) await drop(name);
    await db.close();
    await embedded?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  };
  return {
    description,
    postmasterPid: parentOf(session?.pid),
    async createDatabase() {
      const name = `posthorn_bench_${process.pid}_${++made}`;
      await db.query(`create database ${name}`);
      present.add(name);
      const own = new URL(url);
      own.pathname = `/${name}`;
      return { url: own.href, drop: () => drop(name) };
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
