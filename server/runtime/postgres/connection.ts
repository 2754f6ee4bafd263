import { Client, DatabaseError, type QueryResultRow } from "pg";
import { describeFailure, EmbeddedPostgresError } from "./embedded-postgres-error.ts";

const CONNECT_TIMEOUT_MS = 2_000;

// https://www.postgresql.org/docs/18/errcodes-appendix.html: cannot_connect_now and its like, too_many_connections.
const NOT_NOW = /^(57P|53300)/;
const WRONG_PASSWORD = /^28/;

export type Answer =
  | { readonly state: "ready" }
  /** A server is there but takes no connection yet, as while it recovers. */
  | { readonly state: "busy"; readonly reason: string }
  | { readonly state: "silent" };

/** Runs one statement on a connection of its own. */
export async function queryOnce<Row extends QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection that breaks between two calls is told as an event; the next call fails anyway.
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Tries to work with the server at `url`, whose home is `place`. Rejects when waiting would not help. */
export async function probe(url: string, place: string): Promise<Answer> {
  try {
    await queryOnce(url, "SELECT 1");
    return { state: "ready" };
  } catch (error) {
    if (!(error instanceof DatabaseError)) return { state: "silent" };
    const code = error.code ?? "";
    if (NOT_NOW.test(code)) return { state: "busy", reason: error.message };
    if (WRONG_PASSWORD.test(code))
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL refuses the password kept in ${place}/connection.json (${error.message}): restore that file, or move ${place} away to start with an empty database.`,
        { cause: error },
      );
    throw describeFailure("The embedded PostgreSQL cannot be used", error, place);
  }
}

/** Creates the database `name` on the server whose maintenance database is at `url`, unless it is there. */
export async function ensureDatabase(url: string, name: string, place: string): Promise<void> {
  try {
    const found = await queryOnce(url, `SELECT 1 FROM pg_database WHERE datname = '${name}'`);
    if (found.length === 0) await queryOnce(url, `CREATE DATABASE ${name}`);
  } catch (error) {
    throw describeFailure(`The database ${name} could not be created`, error, place);
  }
}
