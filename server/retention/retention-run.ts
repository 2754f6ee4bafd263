import { setTimeout as delay } from "node:timers/promises";
import { type Db, type Tx, withTransaction } from "#db/client.ts";
import { sqlState } from "#db/database-errors.ts";
import { cancelOrphans, dropPartition, holdsOpen, tenantsIn, trimPartition } from "#db/queries/retention.ts";
import { closeRetentionGate, saveRetentionState, tryRetention } from "#db/queries/retention-state.ts";
import type { AuditEntry } from "../audit/append-audit.ts";
import { pastTenants, type RetentionPolicy } from "../domain/retention.ts";
import type { Logger } from "../log/logger.ts";
import { type Held, planRetention, type RetentionPlan } from "./plan-retention.ts";

export interface RetentionDeps {
  db: Db;
  log: Logger;
  /** Notes a partition that is dropped, as part of the transaction that drops it. */
  note(tx: Tx, entry: AuditEntry): Promise<void>;
}

const ROWS_AT_ONCE = 1_000;
/** How often a table that is in use is tried, and the pause between, in which those who waited for us go on. */
const TRIES = 8;
const PAUSE_MS = 250;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";
const DAY_MS = 86_400_000;

/** A partition that stays for others, and how far it has been looked through for the rows that may go. */
interface Trimming {
  partition: Held;
  tenants: string[];
  after: string;
}

/**
 * One run of retention: a transaction a step, each of which leaves the tables as they should be. Whoever dies on the way
 * leaves nothing to be put right, and the next run does the rest. Everything is looked at again in the step that removes it.
 */
export class RetentionRun {
  readonly #deps: RetentionDeps;
  readonly #plan: RetentionPlan;
  readonly #policy: RetentionPolicy;
  readonly #queue: Held[];
  #trimming: Trimming | undefined;
  /** Names of the partitions that were dropped, and of those that were in use all the time. */
  readonly dropped: string[] = [];
  readonly busy: string[] = [];
  rows = 0;

  constructor(deps: RetentionDeps, plan: RetentionPlan, policy: RetentionPolicy) {
    this.#deps = deps;
    this.#plan = plan;
    this.#policy = policy;
    this.#queue = [...plan.partitions];
  }

  /** Removes a part of what is past; gives whether there may be more. */
  async step(): Promise<boolean> {
    if (this.#trimming) {
      this.#trimming = await this.#trim(this.#trimming);
      return true;
    }
    const partition = this.#queue.shift();
    if (partition) {
      this.#trimming = await this.#begin(partition);
      return true;
    }
    // Those of today may be ahead of their event by a moment.
    const before = new Date(this.#plan.now.getTime() - 2 * DAY_MS);
    return (await cancelOrphansIn(this.#deps.db, before)) === ROWS_AT_ONCE;
  }

  /** Drops a partition if all of it may go; gives what there is to remove from it otherwise. */
  async #begin(partition: Held): Promise<Trimming | undefined> {
    for (let tries = 1; ; tries++)
      try {
        return await withTransaction(this.#deps.db, (tx) => this.#drop(tx, partition));
      } catch (error) {
        if (sqlState(error) !== "55P03") throw error;
        if (tries === TRIES) {
          this.#deps.log.warn(
            { partition: partition.name },
            "a partition is in use and stays until the next run",
          );
          this.busy.push(partition.name);
          return undefined;
        }
        await delay(PAUSE_MS);
      }
  }

  async #drop(tx: Tx, partition: Held): Promise<Trimming | undefined> {
    await closeRetentionGate(tx);
    const tenants = await tenantsIn(tx, partition);
    const { past, isWhole } = pastTenants({ ...partition, tenants }, this.#policy, this.#plan.now);
    if (!isWhole || (await holdsOpen(tx, partition, tenants))) {
      if (past.length === 0) return undefined;
      return { partition, tenants: past, after: BEFORE_ALL };
    }
    const { table, name, day, bytes } = partition;
    const after = { table, day: new Date(day).toISOString().slice(0, 10), bytes, tenants: tenants.length };
    await this.#deps.note(tx, { action: "partitions.drop", target: name, after });
    await dropPartition(tx, partition, tenants);
    tx.afterCommit(() => {
      this.dropped.push(name);
      this.#deps.log.info(
        { partition: name, ...after },
        "a partition has passed its retention and is dropped",
      );
    });
    return undefined;
  }

  async #trim({ partition, tenants, after }: Trimming): Promise<Trimming | undefined> {
    const [tenantId, ...others] = tenants;
    if (tenantId === undefined) return undefined;
    const { removed, last } = await withTransaction(this.#deps.db, async (tx) => {
      await closeRetentionGate(tx);
      return trimPartition(tx, partition, { tenantId, after, limit: ROWS_AT_ONCE });
    });
    this.rows += removed;
    if (last !== null) return { partition, tenants, after: last };
    return { partition, tenants: others, after: BEFORE_ALL };
  }

  /** Stores what came of it. */
  async end(): Promise<void> {
    const { refusals, wanted, now } = this.#plan;
    const result = refusals.length > 0 ? "refused" : this.busy.length > 0 ? "partial" : "done";
    const reasons = [...refusals, ...this.busy.map((name) => `${name} is in use`)];
    await saveRetentionState(this.#deps.db, {
      result,
      reason: reasons.join("; ") || null,
      partitions: this.dropped.length,
      rows: this.rows,
      accepted: toState(this.#policy, now),
    });
    this.#deps.log.info(
      { result, dropped: this.dropped, rows: this.rows, days: wanted.days },
      "retention was carried out",
    );
  }
}

function cancelOrphansIn(db: Db, before: Date): Promise<number> {
  return withTransaction(db, (tx) => cancelOrphans(tx, before, ROWS_AT_ONCE));
}

const toState = ({ days, tenants }: RetentionPolicy, at: Date) => ({
  at: at.toISOString(),
  days,
  tenants: Object.fromEntries(tenants),
});

/**
 * Begins a run; `undefined` when somebody else is just beginning one, when one has ended within `restMs`, or when all of it
 * is refused, which is stored and logged. `isForced` carries out any amount.
 */
export async function beginRetention(
  deps: RetentionDeps,
  options: { days: number; isForced?: boolean; restMs: number },
): Promise<{ run: RetentionRun | undefined; refusals: string[] }> {
  return withTransaction(deps.db, async (tx) => {
    if (!(await tryRetention(tx))) return { run: undefined, refusals: [] };
    const plan = await planRetention(tx, options);
    const { last, now, policy, refusals } = plan;
    if (last && last.result !== "failed" && now.getTime() - last.ranAt.getTime() < options.restMs)
      return { run: undefined, refusals: [] };
    if (refusals.length > 0)
      deps.log.error(
        { refusals },
        "retention refuses to remove so much at once: look at `posthorn partitions drop --dry-run`, then use --force",
      );
    if (policy) return { run: new RetentionRun(deps, plan, policy), refusals };
    const nothing = { partitions: 0, rows: 0, accepted: null };
    await saveRetentionState(tx, { result: "refused", reason: refusals.join("; "), ...nothing });
    return { run: undefined, refusals };
  });
}
