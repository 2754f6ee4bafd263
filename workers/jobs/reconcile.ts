import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { type Db, withTransaction } from "#db/client.ts";
import { moveToJobs, type Seen } from "#db/queries/delivering.ts";
import { BEGINNING, findStrays, type Position } from "#db/queries/reconcile.ts";
import { enqueueDeliveries, type NewDeliveryJob } from "#server/queue/boss.ts";
import { DELIVERY_QUEUE_NAMES, MAX_CHUNK, QUEUES } from "#server/queue/queues.ts";

const OVERDUE_SECONDS = 60;
const LOOK_AT_ONCE = 5_000;

interface Deps {
  db: Db;
  boss: PgBoss;
}

/**
 * Gives a new job to every delivery that is due and has none: what a lost or deleted job leaves behind. The truth is
 * the delivery; a job only says when to look at it. A round looks at 5,000 deliveries; gives how many had no job, and
 * where the next round goes on: `undefined` when all have been seen.
 */
export async function reconcile(
  { db, boss }: Deps,
  after: Position = BEGINNING,
): Promise<{ strays: number; next: Position | undefined }> {
  const part = { queues: DELIVERY_QUEUE_NAMES, overdueSeconds: OVERDUE_SECONDS, limit: LOOK_AT_ONCE };
  const { strays, next } = await findStrays(db, { ...part, after });
  if (strays.length > 0) await handOut({ db, boss }, strays);
  return { strays: strays.length, next };
}

function handOut({ db, boss }: Deps, strays: readonly Seen[]): Promise<void> {
  const jobs: NewDeliveryJob[] = [];
  const moves: (Seen & { toJobId: string })[] = [];
  for (const [tenantId, mine] of Map.groupBy(strays, (stray) => stray.tenantId))
    for (let i = 0; i < mine.length; i += MAX_CHUNK) {
      const id = uuidv7();
      const part = mine.slice(i, i + MAX_CHUNK);
      jobs.push({ id, tenantId, deliveryIds: part.map((stray) => stray.id) });
      moves.push(...part.map((stray) => ({ ...stray, toJobId: id })));
    }
  return withTransaction(db, async (tx) => {
    await enqueueDeliveries(boss, tx, QUEUES.deliver.name, jobs);
    await moveToJobs(tx, moves);
  });
}
