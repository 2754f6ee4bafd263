import type { PgBoss } from "pg-boss";
import { type Db, withTransaction } from "#db/client.ts";
import { listGone, takeClaimsOfGone } from "#db/queries/claims.ts";
import { within } from "#server/queue/boss.ts";

export interface SweepDeps {
  db: Db;
  boss: PgBoss;
  /** The number of this worker, which it does not suspect. */
  worker(): number;
  /** Milliseconds; default: those of `performance.now()`. */
  clock?: () => number;
}

/** How many jobs were put back, by queues. */
export type PutBack = ReadonlyMap<string, number>;

/** How long a worker whose session was cut has to take a new number before it counts as gone. */
export const GRACE_MS = 500;

/** Finds workers that vanished and puts their jobs back, to be handed out again at once. */
export class Sweeper {
  readonly #deps: SweepDeps;
  readonly #clock: () => number;
  /** Workers whose locks were free in every look since the time given. */
  #suspects = new Map<number, number>();

  constructor(deps: SweepDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? (() => performance.now());
  }

  /** One look. A worker counts as gone when its lock is free in looks that are at least `GRACE_MS` apart. */
  async sweep(): Promise<PutBack> {
    const { db, worker } = this.#deps;
    const gone = await listGone(db, worker());
    const now = this.#clock();
    this.#suspects = new Map(gone.map((each) => [each, this.#suspects.get(each) ?? now]));
    const jobs = new Map<string, number>();
    for (const [each, since] of this.#suspects)
      if (now - since >= GRACE_MS)
        for (const [queue, count] of await this.#putBack(each))
          jobs.set(queue, (jobs.get(queue) ?? 0) + count);
    return jobs;
  }

  #putBack(claimant: number): Promise<PutBack> {
    const { db, boss } = this.#deps;
    return withTransaction(db, async (tx) => {
      const claims = await takeClaimsOfGone(tx, claimant);
      const jobs = new Map<string, number>();
      for (const [queue, mine] of Map.groupBy(claims, (claim) => claim.queue)) {
        const ids = mine.map((claim) => claim.jobId);
        await boss.fail(queue, ids, undefined, within(tx));
        jobs.set(queue, ids.length);
      }
      return jobs;
    });
  }
}
