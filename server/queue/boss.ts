import { hash } from "node:crypto";
import { PgBoss } from "pg-boss";
import type { Conn, Db, Tx } from "#db/client.ts";
import { type DeliveryJob, type DeliveryQueue, QUEUES } from "./queues.ts";

/** What pg-boss needs of a connection. Without values a text may hold several statements. */
const asDatabase = (conn: Conn) => ({
  async executeSql(text: string, values?: unknown[]) {
    return { rows: await conn.query(text, values) };
  },
});

export interface QueueOptions {
  /** A worker also supervises: it retries what has expired and clears what is done. The web process only sends. */
  supervise: boolean;
  onError: (error: Error) => void;
}

/** The queue on the connections of `db`. Start it before use, stop it before `db` is closed. */
export function openQueue(db: Db, { supervise, onError }: QueueOptions): PgBoss {
  const boss = new PgBoss({
    db: asDatabase(db),
    supervise,
    schedule: false,
    migrate: false,
    createSchema: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on("error", onError);
  return boss;
}

/** Makes or migrates the queue's own tables. Part of the release step, never of a start. */
export async function migrateQueue(db: Db): Promise<PgBoss> {
  const boss = new PgBoss({ db: asDatabase(db), supervise: false, schedule: false });
  await boss.start();
  await db.query(FORGET_NAMES);
  return boss;
}

// Queues fill and empty within minutes. Statistics that have not seen a queue yet say that it has one row, and then a
// fetch reads all of it (66 ms of 100,000 retries that are not due, in place of 1 ms). Without statistics the planner
// takes a queue for a two-hundredth of the table, which is always near enough.
const FORGET_NAMES = `
  do $$ begin
    if exists (select from pg_attribute where attrelid = 'pgboss.job_common'::regclass and attname = 'name'
                  and attstattarget is distinct from 0)
    then alter table pgboss.job_common alter column name set statistics 0;
    end if;
  end $$`;

/** Makes a call of the queue part of the caller's transaction. */
export const within = (tx: Tx) => ({ db: asDatabase(tx) });

const names = new Map<string, string>();

function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `boss-${hash("sha256", text).slice(0, 16)}`;
    names.set(text, name);
  }
  return name;
}

export interface NewDeliveryJob extends DeliveryJob {
  id: string;
  startAfter?: Date;
  /** Whose work must not crowd out others': by default the tenant's in the queue of fresh work, and nobody's elsewhere. */
  group?: string;
  /** The higher goes first; default 0. */
  priority?: number;
}

/** Fresh work is told apart by tenants, so that a worker can pass over those that have enough in hand. */
function groupOf(queue: DeliveryQueue, tenantId: string, group: string | undefined) {
  const id = group ?? (queue === QUEUES.deliver.name ? tenantId : undefined);
  return id === undefined ? {} : { group: { id } };
}

/** Puts delivery jobs into a queue: they exist if and only if `tx` commits. */
export async function enqueueDeliveries(
  boss: PgBoss,
  tx: Tx,
  queue: DeliveryQueue,
  jobs: readonly NewDeliveryJob[],
): Promise<void> {
  const send = await enqueuing(boss, queue, jobs);
  await send(tx);
}

/**
 * As `enqueueDeliveries`, in two steps: what it gives sends one statement, at once. It is prepared, because planning
 * pg-boss's insert costs more than running it, and named after its text, which changes with the queue's settings.
 */
export async function enqueuing(
  boss: PgBoss,
  queue: DeliveryQueue,
  jobs: readonly NewDeliveryJob[],
): Promise<(tx: Tx) => Promise<unknown>> {
  if (jobs.length === 0) return async () => {};
  const inserts = jobs.map(({ id, startAfter, group, priority, ...data }) => ({
    id,
    data: data satisfies DeliveryJob,
    ...(startAfter ? { startAfter } : {}),
    ...groupOf(queue, data.tenantId, group),
    ...(priority ? { priority } : {}),
  }));
  const statements: { text: string; values: unknown[] | undefined }[] = [];
  const db = {
    async executeSql(text: string, values?: unknown[]) {
      statements.push({ text, values });
      return { rows: [] };
    },
  };
  await boss.insert(queue, inserts, { db });
  return (tx) =>
    Promise.all(statements.map(({ text, values }) => tx.query(text, values, statementName(text))));
}
