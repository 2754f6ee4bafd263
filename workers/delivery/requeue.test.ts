import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backToQueues, type Move, Requeue, toSlowQueue } from "./requeue.ts";
import { claimOne, openEngineAlone, type TestEngine } from "./test-support.ts";
import type { Chunk, Task } from "./types.ts";

const TARGET = { maxInFlight: 10 } as Task["target"];
const chunk = (queue: Chunk["queue"], retryCount: number): Chunk => ({
  ...{ id: uuidv7(), retryCount, queue, claimedAt: 0, open: 1, isLost: false },
});
const task = (
  endpointId: string,
  queue: Chunk["queue"] = "deliver",
  { tenantId = "t1", retryCount = 0 } = {},
): Task => ({
  due: { id: uuidv7(), tenantId, endpointId } as Task["due"],
  target: TARGET,
  chunk: chunk(queue, retryCount),
});
const many = (count: number, endpointId: string, queue?: Chunk["queue"]) =>
  Array.from({ length: count }, () => task(endpointId, queue));
const shapeOf = (moves: Move[]) =>
  moves.map(({ queue, job, tasks }) => ({
    queue,
    group: job.group,
    priority: job.priority,
    size: tasks.length,
  }));

describe("where deliveries go that cannot wait", () => {
  it("is the slow queue, in jobs of one endpoint: small ones behind what hangs, large ones otherwise", () => {
    const moves = toSlowQueue(
      [...many(25, "hangs"), ...many(70, "crowded")],
      (endpoint) => endpoint === "hangs",
    );
    const slow = { queue: "deliver-slow" };
    expect(shapeOf(moves)).toEqual([
      { ...slow, group: "hangs", priority: 0, size: 10 },
      { ...slow, group: "hangs", priority: 0, size: 10 },
      { ...slow, group: "hangs", priority: 0, size: 5 },
      { ...slow, group: "crowded", priority: 1, size: 50 },
      { ...slow, group: "crowded", priority: 1, size: 20 },
    ]);
    for (const { job, tasks } of moves) expect(job.deliveryIds).toEqual(tasks.map(({ due }) => due.id));
  });

  it("is the head of it for what a vanished worker held, but where it would wait for what hangs", () => {
    const returned = (endpointId: string) => task(endpointId, "deliver", { retryCount: 1 });
    const tasks = [...many(2, "crowded"), returned("crowded"), ...many(1, "hangs"), returned("hangs")];
    const slow = { queue: "deliver-slow", size: 1 };
    expect(shapeOf(toSlowQueue(tasks, (endpoint) => endpoint === "hangs"))).toEqual([
      { ...slow, group: "crowded", priority: 2 },
      { ...slow, group: "crowded", priority: 1, size: 2 },
      { ...slow, group: "hangs", priority: 0 },
      { ...slow, group: "hangs", priority: 0 },
    ]);
  });

  it("is the queue they came from, when a worker stops", () => {
    const tasks = [...many(60, "a"), ...many(2, "b", "deliver-retry"), ...many(3, "c", "deliver-slow")];
    expect(shapeOf(backToQueues(tasks, () => true))).toEqual([
      { queue: "deliver-slow", group: "c", priority: 0, size: 3 },
      { queue: "deliver", size: 50 },
      { queue: "deliver", size: 10 },
      { queue: "deliver-retry", size: 2 },
    ]);
  });

  it("is never one job for two tenants", () => {
    const moves = backToQueues([task("a"), task("b", "deliver", { tenantId: "t2" }), task("a")], () => false);
    expect(moves.map(({ job, tasks }) => [job.tenantId, tasks.length])).toEqual([
      ["t1", 2],
      ["t2", 1],
    ]);
  });
});

describe("moving deliveries to another job", () => {
  let engine: TestEngine;
  let moved: Move[];
  beforeAll(async () => {
    engine = await openEngineAlone();
  });
  afterAll(() => engine?.close());
  beforeEach(async () => {
    await engine.clear();
    moved = [];
  });

  const newRequeue = (db = engine.db) => new Requeue({ ...engine, db, onMoved: (move) => moved.push(move) });
  const taskOf = ({ due, chunk }: Awaited<ReturnType<typeof claimOne>>): Task => ({
    due,
    chunk,
    target: TARGET,
  });
  const slowJobs = () =>
    engine.db.query("select id, group_id, state from pgboss.job where name = 'deliver-slow'");

  it("makes them follow the new job", async () => {
    await engine.publish("OrderCreated");
    const mine = taskOf(await claimOne(engine));
    const requeue = newRequeue();
    requeue.add(toSlowQueue([mine], () => false));
    expect(requeue.pending).toBe(1);
    await requeue.flush();
    expect(requeue.pending).toBe(0);
    expect(moved).toMatchObject([{ queue: "deliver-slow", tasks: [mine] }]);
    const [job] = await slowJobs();
    expect(job).toMatchObject({ group_id: mine.due.endpointId, state: "created" });
    expect(await engine.deliveries()).toMatchObject([{ status: "pending", jobId: job?.id, attempts: 0 }]);
  });

  it("leaves alone what somebody else has had since, or what is no longer pending", async () => {
    await engine.publish("OrderCreated");
    const mine = await claimOne(engine, 1);
    await engine.boss.fail("deliver", mine.chunk.id);
    await claimOne(engine, 2);
    const requeue = newRequeue();
    requeue.add(toSlowQueue([taskOf(mine)], () => false));
    await requeue.flush();
    expect(await engine.deliveries()).toMatchObject([{ jobId: mine.chunk.id, attempts: 1 }]);

    await engine.db.query("update deliveries set status = 'cancelled', attempts = 0");
    requeue.add(toSlowQueue([taskOf(mine)], () => false));
    await requeue.flush();
    expect(await engine.deliveries()).toMatchObject([{ jobId: mine.chunk.id, status: "cancelled" }]);
  });

  it("is made again with the same job when it failed, so that it is never made twice", async () => {
    await engine.publish("OrderCreated");
    const mine = taskOf(await claimOne(engine));
    let failures = 0;
    // A database whose COMMIT takes effect, and whose answer never comes.
    const connectTo = engine.db.pool.connect.bind(engine.db.pool);
    const pool = new Proxy(engine.db.pool, {
      get(target, name) {
        if (name !== "connect") return Reflect.get(target, name, target);
        return async () => {
          const client = await connectTo();
          const query = client.query.bind(client);
          if (failures++ === 0)
            client.query = (async (text: string, ...rest: unknown[]) => {
              const result = await (query as (...all: unknown[]) => Promise<unknown>)(text, ...rest);
              if (text === "commit") throw new Error("Connection terminated unexpectedly");
              return result;
            }) as typeof client.query;
          return client;
        };
      },
    });
    const requeue = newRequeue({ ...engine.db, pool });
    requeue.add(toSlowQueue([mine], () => false));
    await expect(requeue.flush()).rejects.toThrow("Connection terminated");
    expect([requeue.pending, moved]).toEqual([1, []]);
    await requeue.flush();
    expect(moved).toHaveLength(1);
    const jobs = await slowJobs();
    expect(jobs).toHaveLength(1);
    expect(await engine.deliveries()).toMatchObject([{ jobId: jobs[0]?.id }]);
  });
});
