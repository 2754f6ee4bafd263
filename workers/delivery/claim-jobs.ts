import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { type Db, type Tx, withTransaction } from "#db/client.ts";
import { insertClaims } from "#db/queries/claims.ts";
import { type DueDelivery, listDue, logLostTries, type Named } from "#db/queries/delivering.ts";
import { within } from "#server/queue/boss.ts";
import type { DeliveryJob, DeliveryQueue } from "#server/queue/queues.ts";
import type { Chunk } from "./types.ts";

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
  /** Hand out one job per endpoint at a time, and none of these. Only the slow queue has groups. */
  ignoreGroups?: readonly string[];
}

export interface Claimed {
  chunk: Chunk;
  due: DueDelivery[];
}

interface HeldJob extends DeliveryJob {
  id: string;
  retryCount: number;
}

/**
 * Takes jobs and notes that this worker holds them, in one transaction; then reads what they still have to send.
 * A job that comes a second time was lost by its worker: the tries that may have been under way are logged first.
 */
export async function claimJobs(deps: ClaimDeps, request: ClaimRequest): Promise<Claimed[]> {
  const jobs = await withTransaction(deps.db, (tx) => takeJobs(tx, deps, request));
  if (jobs.length === 0) return [];
  const due = await listDue(deps.db, namedBy(jobs));
  const byJob = Map.groupBy(due, (delivery) => delivery.jobId);
  return jobs.map(({ id, retryCount }) => {
    const mine = byJob.get(id) ?? [];
    return { chunk: { id, retryCount, queue: request.queue, open: mine.length }, due: mine };
  });
}

async function takeJobs(
  tx: Tx,
  deps: ClaimDeps,
  { queue, limit, ignoreGroups }: ClaimRequest,
): Promise<HeldJob[]> {
  const fetched = await deps.boss.fetch<DeliveryJob>(queue, {
    batchSize: limit,
    includeMetadata: true,
    ...(ignoreGroups ? { groupConcurrency: 1, ignoreGroups: [...ignoreGroups] } : {}),
    ...within(tx),
  });
  const jobs = fetched.map(({ id, retryCount, data }) => ({ id, retryCount, ...data }));
  if (jobs.length === 0) return jobs;
  await insertClaims(
    tx,
    deps.worker(),
    jobs.map((job) => ({ jobId: job.id, queue, tenantId: job.tenantId, deliveryIds: job.deliveryIds })),
  );
  const repeated = jobs.filter((job) => job.retryCount > 0);
  if (repeated.length > 0) {
    const named = namedBy(repeated);
    const attemptIds = named.ids.map(() => uuidv7());
    deps.onLost(await logLostTries(tx, { ...named, attemptIds, worker: deps.worker() }));
  }
  return jobs;
}

function namedBy(jobs: readonly HeldJob[]): Named {
  return {
    tenantIds: jobs.flatMap((job) => job.deliveryIds.map(() => job.tenantId)),
    ids: jobs.flatMap((job) => job.deliveryIds),
    jobIds: jobs.flatMap((job) => job.deliveryIds.map(() => job.id)),
  };
}
