import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { connect, type Db, type Tx, withTransaction } from "#db/client.ts";
import { type AuditEntry, appendAudit } from "#server/audit/append-audit.ts";
import { findRunningDatabase } from "#server/runtime/running-database.ts";
import { loadSettings, type Settings } from "#server/settings/settings.ts";
import { UnavailableError } from "./input-error.ts";

/** Runs `work` on the database of DATABASE_URL, else on the running one of `npm start`. It is never started from here. */
export async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(await findDatabaseUrl(loadSettings()), { name: "cli", maxConnections: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Where the database is. Throws an UnavailableError when it is the embedded one and does not run. */
export async function findDatabaseUrl({ databaseUrl, dataDir }: Settings): Promise<string> {
  if (databaseUrl !== undefined) return databaseUrl;
  const folder = resolve(dataDir);
  const url = await findRunningDatabase(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
    throw new UnavailableError(
      `The embedded database in ${folder} belongs to another user: run this as the one who ran \`npm start\`.`,
    );
  });
  if (url !== undefined) return url;
  throw new UnavailableError(
    `The embedded database in ${folder} is not running: keep \`npm start\` running meanwhile, or set DATABASE_URL.`,
  );
}

/** Notes a change in the log; `tenantId` is the chain it belongs to. */
export type Note = (tenantId: string, entry: AuditEntry) => Promise<void>;

/** Makes one change in one transaction, with what it notes in the audit log: both happen or neither. */
export function change<T>(work: (tx: Tx, note: Note, now: Date) => Promise<T>): Promise<T> {
  const requestId = randomUUID();
  const now = new Date();
  return withDatabase((db) =>
    withTransaction(db, (tx) =>
      work(
        tx,
        (tenantId, entry) =>
          appendAudit(tx, { tenantId, actor: { kind: "cli" }, requestId, now: () => now }, entry),
        now,
      ),
    ),
  );
}
