import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { claimOne, openEngineAlone, type TestEngine } from "../delivery/test-support.ts";
import { reconcile } from "./reconcile.ts";

let engine: TestEngine;

beforeAll(async () => {
  engine = await openEngineAlone();
});
afterAll(() => engine?.close());
beforeEach(() => engine.clear());

const makeOverdue = () =>
  engine.db.query("update deliveries set next_attempt_at = now() - interval '2 minutes'");
const jobIds = async () =>
  (await engine.db.query("select id from pgboss.job order by id")).map(({ id }) => id);

describe("the reconciler", () => {
  it("gives a delivery whose job was deleted a new one, and only one", async () => {
    await engine.publish("OrderCreated", 120);
    await makeOverdue();
    const before = await jobIds();
    expect(before).toHaveLength(3);
    await engine.db.query("delete from pgboss.job where id = $1", [before[0]]);

    expect(await reconcile(engine)).toEqual({ strays: 50, next: undefined });
    const after = await jobIds();
    expect(after).toHaveLength(3);
    const [made] = after.filter((id) => !before.includes(id));
    expect((await engine.deliveries()).filter(({ jobId }) => jobId === made)).toHaveLength(50);
    expect(await reconcile(engine)).toEqual({ strays: 0, next: undefined });
    expect(await jobIds()).toEqual(after);
  });

  it("leaves alone what is not overdue, what is settled, and what somebody is working on", async () => {
    await engine.publish("OrderCreated", 2);
    await engine.db.query("delete from pgboss.job");
    expect((await reconcile(engine)).strays).toBe(0);
    await makeOverdue();
    await engine.db.query("update deliveries set status = 'delivered'");
    expect((await reconcile(engine)).strays).toBe(0);
    expect(await engine.db.query("select 1 from undelivered")).toEqual([]);

    await engine.publish("OrderCreated", 2);
    await claimOne(engine);
    await engine.db.query(
      "update deliveries set next_attempt_at = now() - interval '1 hour' where status = 'pending'",
    );
    expect((await reconcile(engine)).strays).toBe(0);
  });

  it("finds what hangs on a job that has ended", async () => {
    await engine.publish("OrderCreated");
    const { chunk } = await claimOne(engine);
    await engine.boss.complete("deliver", chunk.id);
    await makeOverdue();
    expect((await reconcile(engine)).strays).toBe(1);
  });

  it("hands each delivery out once when two run at the same time", async () => {
    await engine.publish("OrderCreated", 100);
    await engine.db.query("delete from pgboss.job");
    await makeOverdue();
    await Promise.all([reconcile(engine), reconcile(engine)]);
    const follow = new Set((await engine.deliveries()).map(({ jobId }) => jobId));
    const jobs = new Set(await jobIds());
    for (const id of follow) expect(jobs).toContain(id);
    expect((await reconcile(engine)).strays).toBe(0);
  });

  it("looks at a part of a long backlog at a time, and goes on where it was", async () => {
    await engine.publish("OrderCreated", 5_200);
    await makeOverdue();
    const last = (await engine.deliveries()).at(-1);
    await engine.db.query("update deliveries set job_id = gen_random_uuid() where id = $1", [last?.id]);
    const first = await reconcile(engine);
    expect(first.strays).toBe(0);
    expect(first.next).toBeDefined();
    expect(await reconcile(engine, first.next)).toEqual({ strays: 1, next: undefined });
  });
});
