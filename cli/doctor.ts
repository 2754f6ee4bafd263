import type { Command } from "commander";
import { connect, type Db } from "#db/client.ts";
import { createKeyring, type RootKey } from "#server/crypto/keyring.ts";
import {
  checkBacklog,
  checkDatabase,
  checkMigrations,
  checkPartitions,
  checkSecrets,
  checkWorkers,
  type Finding,
} from "#server/diagnosis/checks.ts";
import { redact } from "#server/log/logger.ts";
import { loadRootKeys } from "#server/settings/root-keys.ts";
import { loadSettings, type Settings } from "#server/settings/settings.ts";
import { findDatabaseUrl } from "./database.ts";
import { describeDatabaseError } from "./report-failure.ts";

export type Report = { check: string } & Finding;

const TIMEOUT_MS = 10_000;

/** `doctor`. */
export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("say what is well and what to do about what is not; exit code 1 when something fails")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const reports: Report[] = [];
      for await (const report of examine(loadSettings())) {
        reports.push(report);
        if (!json) print(report);
      }
      if (json) console.log(JSON.stringify(reports.map(asJson), null, 2));
      if (reports.some(({ level }) => level === "fail")) process.exitCode = 1;
    });
}

const asJson = (report: Report) => ({
  check: report.check,
  level: report.level,
  text: report.text,
  advice: report.level === "ok" ? null : report.advice,
});

function print(report: Report): void {
  console.log(`${report.level.padEnd(4)}  ${report.check.padEnd(10)}  ${report.text}`);
  if (report.level !== "ok") console.log(`${" ".repeat(18)}→ ${report.advice}`);
}

/** One report after the other. Checks that make no sense any more after one that failed are left out. */
export async function* examine(settings: Settings): AsyncGenerator<Report> {
  const { rootKeys, report } = examineRootKeys(settings);
  yield report;
  let db: Db;
  try {
    const url = await findDatabaseUrl(settings);
    db = connect(url, { name: "doctor", maxConnections: 2, statementTimeoutMs: TIMEOUT_MS });
  } catch (error) {
    yield failed("database", error, "See DATABASE_URL, or start everything with `npm start`.");
    return;
  }
  try {
    yield* examineDatabase(db, rootKeys);
  } finally {
    await db.close();
  }
}

function examineRootKeys(settings: Settings): { rootKeys: RootKey[]; report: Report } {
  try {
    const rootKeys = loadRootKeys(settings);
    const text = `${rootKeys.map(({ id }) => id).join(", ")}, newest first`;
    return { rootKeys, report: { check: "root keys", level: "ok", text } };
  } catch (error) {
    const advice =
      "Set ENCRYPTION_KEYS to the keys of this installation, or restore the file `keys` of its data folder.";
    return { rootKeys: [], report: failed("root keys", error, advice) };
  }
}

async function* examineDatabase(db: Db, rootKeys: readonly RootKey[]): AsyncGenerator<Report> {
  for (const [check, examineIt] of [
    ["database", checkDatabase],
    ["migrations", checkMigrations],
  ] as const) {
    const report = await guarded(check, () => examineIt(db));
    yield report;
    if (report.level === "fail") return;
  }
  if (rootKeys.length > 0) yield guarded("secrets", () => checkSecrets(db, createKeyring(rootKeys)));
  yield guarded("partitions", () => checkPartitions(db, new Date()));
  yield guarded("deliveries", () => checkBacklog(db));
  yield guarded("workers", () => checkWorkers(db));
}

async function guarded(check: string, examineIt: () => Promise<Finding>): Promise<Report> {
  try {
    return { check, ...(await examineIt()) };
  } catch (error) {
    return failed(
      check,
      error,
      "See that the database runs, that DATABASE_URL is right and what its own log says.",
    );
  }
}

function failed(check: string, error: unknown, advice: string): Report {
  const text = describeDatabaseError(error) ?? (error instanceof Error ? error.message : String(error));
  return { check, level: "fail", text: redact(text), advice };
}
