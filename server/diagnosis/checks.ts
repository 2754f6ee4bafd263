import type { Conn, Db } from "#db/client.ts";
import { migrationStatus } from "#db/migration-status.ts";
import { DAYS_AHEAD, partitionDaysAhead } from "#db/partitions.ts";
import { pendingFigures } from "#db/queries/metrics.ts";
import { listSealedBy, type SealedBy } from "#db/queries/sealed-secrets.ts";
import { countWorkers } from "#db/queries/workers.ts";
import { sealedIdentity } from "../crypto/identities.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { LATE_SECONDS, STALLED_SECONDS } from "../domain/delivery-progress.ts";
import { queueProblem } from "../queue/queue-problem.ts";

/** What one check found. `advice` says what to do unless all is well. */
export type Finding =
  | { level: "ok"; text: string }
  | { level: "warn" | "fail"; text: string; advice: string };

const ok = (text: string): Finding => ({ level: "ok", text });
const warn = (text: string, advice: string): Finding => ({ level: "warn", text, advice });
const fail = (text: string, advice: string): Finding => ({ level: "fail", text, advice });

const MIGRATE = "Run `npm start` once against this database: it migrates, then starts.";
const OLDEST_VERSION = 15;
/** A day that has just begun leaves one fewer until the hourly round of a worker. */
const FEW_DAYS = DAYS_AHEAD - 1;

/** Whether the database answers, and is one that Posthorn runs on. */
export async function checkDatabase(conn: Conn): Promise<Finding> {
  const [row] = await conn.query<{ number: number; version: string; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
            current_database() as name`,
  );
  const { number = 0, version = "?", name = "?" } = row ?? {};
  const text = `PostgreSQL ${version}, database ${name}`;
  if (number >= OLDEST_VERSION * 10_000) return ok(text);
  return fail(text, `Posthorn needs PostgreSQL ${OLDEST_VERSION} or newer.`);
}

/** Whether our tables and the queue's are those of this version. */
export async function checkMigrations(db: Db): Promise<Finding> {
  const { newest, pending, isAhead } = await migrationStatus(db);
  if (isAhead)
    return fail(`the database was migrated past ${newest}`, "Run the newer Posthorn that migrated it.");
  if (pending.length > 0) return fail(`not run yet: ${pending.join(", ")}`, MIGRATE);
  const problem = await queueProblem(db);
  return problem === undefined ? ok(`the newest, ${newest}`) : fail(`the queue: ${problem}`, MIGRATE);
}

/** Whether every sealed secret can be opened: its key is there, and is the one it was sealed with. */
export async function checkSecrets(conn: Conn, keyring: Keyring): Promise<Finding> {
  const sealedBy = await listSealedBy(conn);
  const opens = (value: SealedBy) => {
    try {
      keyring.open(value.sealed, sealedIdentity(value));
      return true;
    } catch {
      return false;
    }
  };
  const shut = sealedBy.filter((group) => !opens(group));
  if (shut.length > 0)
    return fail(
      shut.map(({ keyId, count }) => `${count} sealed with ${keyId} cannot be opened`).join("; "),
      `Put the root keys ${shut.map(({ keyId }) => keyId).join(", ")} of this database back into ENCRYPTION_KEYS or the file \`keys\` of the data folder.`,
    );
  const total = sealedBy.reduce((sum, { count }) => sum + count, 0);
  return ok(`${total} sealed; their root keys are here`);
}

/** Whether events of the days to come have a place. */
export async function checkPartitions(conn: Conn, now: Date): Promise<Finding> {
  const days = await partitionDaysAhead(conn, now);
  const advice =
    "Run `npm run posthorn -- partitions`, and see that a worker is alive: it makes them every hour.";
  if (days < 0) return fail("those of today are missing: nothing can be published", advice);
  const text = `${days} days ahead`;
  if (days >= FEW_DAYS) return ok(text);
  return days >= 1 ? warn(text, advice) : fail(text, advice);
}

/** Whether deliveries go out when they are due. */
export async function checkBacklog(conn: Conn): Promise<Finding> {
  const { oldestDueSeconds } = await pendingFigures(conn);
  const seconds = Math.round(oldestDueSeconds);
  const text = seconds === 0 ? "nothing is late" : `the oldest has been due for ${seconds} s`;
  const advice = "See that workers are alive and what they log, or start more: npm run start:worker.";
  if (seconds <= LATE_SECONDS) return ok(text);
  return seconds <= STALLED_SECONDS ? warn(text, advice) : fail(text, advice);
}

/** Whether anybody sends. */
export async function checkWorkers(conn: Conn): Promise<Finding> {
  const workers = await countWorkers(conn);
  if (workers > 0) return ok(`${workers} alive`);
  return fail(
    "none is alive: nothing is sent",
    "Start one: npm run start:worker (npm start brings one along).",
  );
}
