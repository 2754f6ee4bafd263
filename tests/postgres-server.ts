import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#server/runtime/postgres/embedded-postgres.ts";

/** The PostgreSQL of one test run. */
export interface TestServer {
  /** A database of it that exists; the tests never write into this one. */
  readonly url: string;
  /** How the names of all databases of this run begin. */
  readonly prefix: string;
  /** Makes a database, as a copy of `template` when that is named, and gives its URL. */
  createDatabase(name: string, template?: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** Drops the databases of this run and stops what was started. */
  close(): Promise<void>;
}

/**
 * Opens the PostgreSQL for the tests: the one that `npm test` started (TEST_DATABASE_URL), else the one in DATABASE_URL
 * (its role must be allowed to create databases), else an embedded one in a temporary folder.
 */
export async function openTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  const prefix = process.env.TEST_DATABASE_PREFIX ?? `posthorn_test_${randomBytes(5).toString("hex")}_`;
  const { url, stop } = given ? { url: given, stop: async () => {} } : await startTemporary();
  const admin = new pg.Pool({ connectionString: url, max: 2, application_name: "posthorn-tests" });
  // Whoever stops the server first, an idle connection that breaks is no failure of a test.
  admin.on("error", () => {});

  const createDatabase = async (name: string, template?: string) => {
    await admin.query(`create database ${quoted(name)}${template ? ` template ${quoted(template)}` : ""}`);
    return urlOf(url, name);
  };
  const dropDatabase = async (name: string) => {
    await admin.query(`drop database if exists ${quoted(name)} with (force)`);
  };
  const close = async () => {
    try {
      const { rows } = await admin.query<{ datname: string }>(
        "select datname from pg_database where starts_with(datname, $1)",
        [prefix],
      );
      for (const { datname } of rows) await dropDatabase(datname);
    } finally {
      await admin.end();
      await stop();
    }
  };
  return { url, prefix, createDatabase, dropDatabase, close };
}

async function startTemporary(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "posthorn-test-"));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await startEmbeddedPostgres({ dataDir });
    return { url: server.url, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

function quoted(name: string): string {
  return pg.escapeIdentifier(name);
}
