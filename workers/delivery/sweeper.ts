import type { PgBoss } from "pg-boss";
import { type Db, withTransaction } from "#db/client.ts";
import { isWorkerGone, listClaimants, takeClaimsOfGone } from "#db/queries/claims.ts";
import { within } from "#server/queue/boss.ts";

export interface SweepDeps {
  db: Db;
  boss: PgBoss;
  /** The number of this worker, which it does not suspect. */
  worker(): number;
}

/** Finds workers that vanished and puts their jobs back, to be handed out again at once. */
export class Sweeper {
  readonly #deps: SweepDeps;
  #suspects = new Set<number>();

  constructor(deps: SweepDeps) {
    this.#deps = deps;
  }

  /**
   * One round; gives how many jobs were put back. A worker counts as gone when its lock is free in two rounds, so that
   * one whose session was cut has the time to take a new number.
   */
  async sweep(): Promise<number> {
    const { db, worker } = this.#deps;
    const suspects = new Set<number>();
    let jobs = 0;
    for (const claimant of await listClaimants(db)) {
      if (claimant === worker()) continue;
      if (this.#suspects.has(claimant)) jobs += await this.#putBack(claimant);
      else if (await isWorkerGone(db, claimant)) suspects.add(claimant);
    }
    this.#suspects = suspects;
    return jobs;
  }

  #putBack(claimant: number): Promise<number> {
    const { db, boss } = this.#deps;
    return withTransaction(db, async (tx) => {
      const claims = await takeClaimsOfGone(tx, claimant);
      for (const [queue, mine] of Map.groupBy(claims, (claim) => claim.queue))
        await boss.fail(
          queue,
          mine.map((claim) => claim.jobId),
          undefined,
          within(tx),
        );
      return claims.length;
    });
  }
}
