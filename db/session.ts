import pg from "pg";
import { isConnectionError } from "./database-errors.ts";

/** One connection of its own, for what belongs to a session: advisory locks and LISTEN. */
export interface Session {
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Listens on a channel for as long as the session lives; `onNotify` gets what a notification carries. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<void>;
  /** Settles when the connection has ended, whoever ended it. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a session. Rejects when the database cannot be reached. A query that has no answer within five seconds ends
 * it: so is a server noticed that vanished without a word.
 */
export async function openSession(url: string, name: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `posthorn-${name}`,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  });
  const ended = new Promise<void>((resolve) => {
    client.on("end", () => resolve());
    // Without a listener a connection that breaks would end the process.
    client.on("error", () => client.end().catch(() => {}));
  });
  await client.connect();
  const listeners = new Map<string, (payload: string) => void>();
  client.on("notification", ({ channel, payload }) => listeners.get(channel)?.(payload ?? ""));
  return {
    ended,
    async query(text, values) {
      try {
        return (await client.query<Record<string, unknown>>(text, values as unknown[])).rows;
      } catch (error) {
        // Not awaited: it tears the connection down, however little the other end answers.
        if (isConnectionError(error)) client.end().catch(() => {});
        throw error;
      }
    },
    async listen(channel, onNotify) {
      listeners.set(channel, onNotify);
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    },
    close: () => client.end(),
  };
}
