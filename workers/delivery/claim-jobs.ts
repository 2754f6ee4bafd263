import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { type Db, type Tx, withTransaction } from "#db/client.ts";
import { giveUpProbes } from "#db/queries/circuit-breakers.ts";
import { insertClaims } from "#db/queries/claims.ts";
import { logLostTries, type Named } from "#db/queries/delivering.ts";
import { within } from "#server/queue/boss.ts";
import type { DeliveryJob, DeliveryQueue } from "#server/queue/queues.ts";
import { separateSuspects } from "./suspects.ts";

export interface ClaimDeps {
  db: Db;
  boss: PgBoss;
  worker(): number;
  onLost(tries: number): void;
}

export interface ClaimRequest {
  queue: DeliveryQueue;
  /** Jobs at most. */
  limit: number;
  /** None of these: endpoints in the slow queue, tenants in that of fresh work. */
  ignoreGroups?: readonly string[];
  /** One job of each group at a time, over all workers. */
  onePerGroup?: boolean;
}

export interface ClaimedJob extends DeliveryJob {
  id: string;
  /** How often it was handed out before. */
  retryCount: number;
}

/**
 * Takes jobs and notes that this worker holds them, in one transaction. A job that comes a second time was lost by its
 * worker: the tries that may have been under way are logged first. Where there is none, `onFirst` hears of the jobs while
 * the claims on them are being committed: their rows are locked until then, so nobody else changes what they name.
 */
export function claimJobs(
  deps: ClaimDeps,
  request: ClaimRequest,
  onFirst: (jobs: readonly ClaimedJob[]) => void = () => {},
): Promise<ClaimedJob[]> {
  const take = async (tx: Tx): Promise<ClaimedJob[]> => {
    const jobs = await fetchJobs(tx, deps.boss, request);
    if (jobs.length === 0) return jobs;
    const { queue } = request;
    const claims = jobs.map(({ id, tenantId, deliveryIds }) => ({ jobId: id, queue, tenantId, deliveryIds }));
    const claim = () => insertClaims(tx, deps.worker(), claims);
    if (jobs.every((job) => job.retryCount === 0)) {
      const claiming = tx.sendLast(claim);
      onFirst(jobs);
      await claiming;
      return jobs;
    }
    await claim();
    // Which deliveries a job of an ordered endpoint had is found out with those that it gets.
    const repeated = jobs.filter((job) => job.retryCount > 0 && !job.ordered);
    if (repeated.length > 0) {
      const named = namedBy(repeated);
      const attemptIds = named.ids.map(() => uuidv7());
      const lost = await logLostTries(tx, { ...named, attemptIds, worker: deps.worker() });
      tx.afterCommit(() => deps.onLost(lost.length));
      await giveUpProbes(tx, lost);
      await separateSuspects(tx, deps.boss, { queue, lost });
    }
    return jobs;
  };
  // Jobs that were fetched and never claimed are handed out again when they expire.
  return withTransaction(deps.db, take, { sendsFirst: true });
}

/** The deliveries that jobs name, as parallel lists. */
export function namedBy(jobs: readonly ClaimedJob[]): Named {
  return {
    tenantIds: jobs.flatMap((job) => job.deliveryIds.map(() => job.tenantId)),
    ids: jobs.flatMap((job) => job.deliveryIds),
    jobIds: jobs.flatMap((job) => job.deliveryIds.map(() => job.id)),
  };
}

async function fetchJobs(
  tx: Tx,
  boss: PgBoss,
  { queue, limit, ignoreGroups, onePerGroup }: ClaimRequest,
): Promise<ClaimedJob[]> {
  const fetched = await boss.fetch<DeliveryJob>(queue, {
    batchSize: limit,
    includeMetadata: true,
    ...(ignoreGroups ? { ignoreGroups: [...ignoreGroups] } : {}),
    ...(onePerGroup ? { groupConcurrency: 1 } : {}),
    ...within(tx),
  });
  return fetched.map(({ id, retryCount, data }) => ({ id, retryCount, ...data }));
}
