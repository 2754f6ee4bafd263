import { randomUUID } from "node:crypto";
import { sqlState } from "#db/database-errors.ts";
import { saveRetentionState } from "#db/queries/retention-state.ts";
import { appendAudit, INSTALLATION } from "#server/audit/append-audit.ts";
import type { Services } from "#server/context.ts";
import { beginRetention, type RetentionDeps, type RetentionRun } from "#server/retention/retention-run.ts";
import type { RunEnd } from "../delivery/poller.ts";

type RetainDeps = Pick<Services, "db" | "log" | "now"> & { retentionDays: number };

const UNDEFINED_TABLE = "42P01";
/** Workers share the runs: what one has just done no other does again. */
const REST_MS = 10 * 60_000;

/** Runs of retention, a step a call: begins one when none is under way, and says when there is nothing more to do. */
export function retaining({ db, log, now, retentionDays }: RetainDeps): () => Promise<RunEnd> {
  let run: RetentionRun | undefined;
  const note: RetentionDeps["note"] = (tx, entry) =>
    appendAudit(
      tx,
      { tenantId: INSTALLATION, actor: { kind: "system" }, requestId: randomUUID(), now },
      entry,
    );
  const deps = { db, log, note };
  return async () => {
    try {
      run ??= (await beginRetention(deps, { days: retentionDays, restMs: REST_MS })).run;
      if (!run) return "idle";
      if (await run.step()) return "more";
      await run.end();
      run = undefined;
      return "idle";
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const done = { partitions: run?.dropped.length ?? 0, rows: run?.rows ?? 0 };
      run = undefined;
      // A partition is gone that was there a moment ago: another worker is at it.
      if (sqlState(error) === UNDEFINED_TABLE) return "idle";
      // Not awaited to succeed: the database may be what is wrong.
      await saveRetentionState(db, { result: "failed", reason, ...done, accepted: null }).catch(() => {});
      throw error;
    }
  };
}
