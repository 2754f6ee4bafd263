import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { enqueueDeliveries, type NewDeliveryJob, openQueue } from "./boss.ts";
import { type DeliveryJob, type DeliveryQueue, QUEUES } from "./queues.ts";

let database: TestDatabase;
let db: Db;
let boss: PgBoss;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "queue-test", joinByIndex: true });
  boss = openQueue(db, { supervise: false, onError: () => {} });
  await boss.start();
});
afterAll(async () => {
  await boss?.stop({ graceful: false });
  await db?.close();
  await database?.drop();
});

const job = (over: Partial<NewDeliveryJob> = {}): NewDeliveryJob => ({
  id: uuidv7(),
  tenantId: uuidv7(),
  deliveryIds: [uuidv7()],
  ...over,
});
const enqueue = (queue: DeliveryQueue, ...jobs: NewDeliveryJob[]) =>
  withTransaction(db, (tx) => enqueueDeliveries(boss, tx, queue, jobs));

/** Takes what is due and does it. */
async function take(queue: DeliveryQueue, batchSize = 10) {
  const jobs = await boss.fetch<DeliveryJob>(queue, { batchSize, includeMetadata: true });
  if (jobs.length > 0) await boss.deleteJob(queue, jobs);
  return jobs;
}

describe("a delivery job", () => {
  it("exists if and only if its transaction commits", async () => {
    const [kept, undone] = [job(), job()];
    await enqueue("deliver", kept);
    const failing = withTransaction(db, async (tx) => {
      await enqueueDeliveries(boss, tx, "deliver", [undone]);
      throw new Error("undone");
    });
    await expect(failing).rejects.toThrow("undone");
    const taken = await take("deliver");
    expect(taken.map(({ id, retryCount, data }) => ({ id, retryCount, data }))).toEqual([
      { id: kept.id, retryCount: 0, data: { tenantId: kept.tenantId, deliveryIds: kept.deliveryIds } },
    ]);
  });

  it("is due at the millisecond it was put off to", async () => {
    const startAfter = new Date(Date.now() + 86_400_123);
    const later = job({ startAfter });
    await enqueue("deliver-retry", later, job({ startAfter: new Date(Date.now() - 1) }));
    expect(await take("deliver-retry")).toHaveLength(1);
    const [row] = await db.query("select start_after from pgboss.job where id = $1", [later.id]);
    expect(row).toEqual({ start_after: startAfter });
  });

  it("goes before older ones of a lower priority, one of each group at a time", async () => {
    const jobs = [
      job({ group: "a", priority: 0 }),
      job({ group: "b", priority: 1 }),
      job({ group: "b", priority: 1 }),
    ];
    await enqueue("deliver-slow", ...jobs.slice(0, 1));
    await enqueue("deliver-slow", ...jobs.slice(1));
    const fetch = (ignoreGroups: string[] = []) =>
      boss.fetch("deliver-slow", { batchSize: 1, groupConcurrency: 1, ignoreGroups });
    const ids = [...(await fetch()), ...(await fetch()), ...(await fetch())].map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect([jobs[1]?.id, jobs[2]?.id]).toContain(ids[0]);
    expect(ids[1]).toBe(jobs[0]?.id);
    await boss.deleteJob("deliver-slow", ids);
    expect(await fetch(["b"])).toEqual([]);
    expect(await fetch()).toHaveLength(1);
  });

  it("is handed out again when it has expired, with another retry count", async () => {
    const mine = job();
    await enqueue("deliver", mine);
    await boss.fetch("deliver");
    await db.query("update pgboss.job set started_on = now() - make_interval(secs => expire_seconds + 1)");
    await db.query("update pgboss.queue set monitor_on = null");
    await boss.supervise("deliver");
    expect((await take("deliver")).map(({ id, retryCount }) => [id, retryCount])).toEqual([[mine.id, 1]]);
  });
});

it("takes due jobs without reading a queue that has filled since the last ANALYZE", async () => {
  const fill = (queue: string, jobs: number) =>
    db.query(
      `insert into pgboss.job (name, data, start_after, keep_until, policy)
       select $1, '{}', now() + interval '1 hour', now() + interval '1 day', 'standard' from generate_series(1, $2)`,
      [queue, jobs],
    );
  await db.query("delete from pgboss.job");
  await fill(QUEUES.deliver.name, 1_000);
  await db.query("analyze pgboss.job_common");
  await fill(QUEUES.deliverRetry.name, 20_000);

  let plan: unknown;
  await boss.fetch(QUEUES.deliverRetry.name, {
    batchSize: 50,
    db: {
      async executeSql(text, values) {
        [plan] = await db.query(`explain (analyze, timing off, format json) ${text}`, values);
        return { rows: [] };
      },
    },
  });
  expect(rowsRead((plan as { "QUERY PLAN": { Plan: Node }[] })["QUERY PLAN"][0]?.Plan)).toBeLessThan(100);
});

interface Node {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Node[];
}

/** Rows of the table of jobs that a plan has come across. */
function rowsRead(node: Node | undefined): number {
  if (!node) throw new Error("no plan");
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  if (node["Relation Name"] !== "job_common") return below;
  return below + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
}
