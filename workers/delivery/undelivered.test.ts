import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { uuidFloor } from "#contracts/ids.ts";
import { type Tx, withTransaction } from "#db/client.ts";
import { cancelDeliveries, moveToJobs } from "#db/queries/delivering.ts";
import { holdDeliveries } from "#db/queries/holding.ts";
import { reopenDeliveries } from "#db/queries/replay-selection.ts";
import { settleDeliveries } from "#db/queries/settle.ts";
import { daysAgo, makePastDays } from "#tests/past-days.ts";
import { reconcile } from "../jobs/reconcile.ts";
import { claimOne, openEngineAlone, resultOf, type TestEngine } from "./test-support.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngineAlone();
});
afterAll(() => engine?.close());
beforeEach(() => engine.clear());

const COLUMNS = "tenant_id, id, event_id, endpoint_id, event_type, status, next_attempt_at, created_at";
const rowsOf = (from: string) => engine.db.query(`select ${COLUMNS} from ${from} order by id`);
async function expectMirrored(statuses: readonly string[]): Promise<void> {
  const rows = await rowsOf("deliveries where status <> 'delivered'");
  expect(rows.map(({ status }) => status)).toEqual(statuses);
  expect(await rowsOf("undelivered")).toEqual(rows);
}

/** A delivery that is claimed, as others have seen it. */
async function published() {
  await engine.publish("OrderCreated");
  const claimed = await claimOne(engine);
  const { tenantId, id, jobId, attempts } = claimed.due;
  return { claimed, seen: { tenantId, id, jobId, attempts } };
}
const settle = async ({ claimed }: Awaited<ReturnType<typeof published>>, status: number) => {
  const row = resultOf(claimed, status);
  const settled = await withTransaction(engine.db, (tx) => settleDeliveries(tx, [row]));
  expect(settled.get(row.deliveryId)).toMatchObject({ attempts: 1, status: row.status });
};

describe("what is not delivered", () => {
  it("is noted when it is published, and forgotten when it is delivered", async () => {
    const made = await published();
    await expectMirrored(["pending"]);
    await settle(made, 200);
    await expectMirrored([]);
  });

  it("is noted as it waits for its next try, as it is held, and with the job that it is moved to", async () => {
    const made = await published();
    await settle(made, 503);
    await expectMirrored(["pending"]);
    const { seen } = await published();
    await withTransaction(engine.db, (tx) =>
      moveToJobs(tx, [{ ...seen, toJobId: seen.id, notBefore: new Date("2030-01-01T00:00:00Z") }]),
    );
    await expectMirrored(["pending", "pending"]);
    await withTransaction(engine.db, (tx) => holdDeliveries(tx, [{ ...seen, jobId: seen.id }]));
    await expectMirrored(["pending", "pending"]);
    expect(await rowsOf("undelivered where next_attempt_at is null")).toHaveLength(1);
  });

  it("is noted as it has ended: failed, dismissed, cancelled; and once more when it is sent again", async () => {
    const [failing, cancelled] = [await published(), await published()];
    await settle(failing, 400);
    await withTransaction(engine.db, (tx) => cancelDeliveries(tx, [cancelled.seen]));
    await expectMirrored(["failed", "cancelled"]);
    await engine.db.query("update deliveries set status = 'dismissed' where status = 'failed'");
    await expectMirrored(["dismissed", "cancelled"]);
    const { tenantId, id } = failing.seen;
    await engine.db.query("delete from claims");
    await withTransaction(engine.db, (tx) =>
      reopenDeliveries(tx, { tenantId, statuses: ["dismissed"], trigger: "replay" }, [{ id, jobId: id }]),
    );
    await expectMirrored(["pending", "cancelled"]);
  });

  it("is forgotten when an answer comes after all to what was cancelled, and when its row is deleted", async () => {
    const [answered, removed] = [await published(), await published()];
    await withTransaction(engine.db, (tx) => cancelDeliveries(tx, [answered.seen]));
    await settle(answered, 200);
    await expectMirrored(["pending"]);
    await engine.db.query("delete from deliveries where id = $1", [removed.seen.id]);
    await expectMirrored([]);
  });

  it("is noted once when something that was delivered is sent again, even where a row of it was left", async () => {
    const made = await published();
    const { tenantId, id } = made.seen;
    // As a worker of an earlier release delivers.
    await engine.db.query("update deliveries set status = 'delivered'");
    expect(await rowsOf("undelivered")).toHaveLength(1);
    await engine.db.query("delete from claims");
    await withTransaction(engine.db, (tx) =>
      reopenDeliveries(tx, { tenantId, statuses: ["delivered"], trigger: "replay" }, [{ id, jobId: id }]),
    );
    await expectMirrored(["pending"]);
  });

  it("is put right by the reconciler where somebody delivered who does not know of it", async () => {
    await published();
    await published();
    await engine.db.query("update deliveries set next_attempt_at = now() - interval '1 hour'");
    await engine.db.query(
      "update deliveries set status = 'delivered' where id = (select id from deliveries order by id limit 1)",
    );
    expect(await rowsOf("undelivered")).toHaveLength(2);
    expect((await reconcile(engine)).strays).toBe(0);
    await expectMirrored(["pending"]);
  });

  it("of several days is settled by one call, each in its place", async () => {
    const made = [await published(), await published()];
    await makePastDays(engine.db, [5]);
    const old = `${uuidFloor(daysAgo(5)).slice(0, 13)}-7000-8000-000000000001`;
    await engine.db.query("update deliveries set id = $1 where id = $2", [old, made[0]?.seen.id]);
    await engine.db.query("update undelivered set id = $1 where id = $2", [old, made[0]?.seen.id]);
    const rows = made.map(({ claimed }) => resultOf(claimed, 200));
    const [first, second] = rows;
    if (!first || !second) throw new Error("two were published");
    const settled = await withTransaction(engine.db, (tx) =>
      settleDeliveries(tx, [{ ...first, deliveryId: old }, second]),
    );
    expect([...settled.keys()].toSorted()).toEqual([old, second.deliveryId].toSorted());
    await expectMirrored([]);
  });
});

describe("settling", () => {
  it("looks up each row by its key, whatever the statistics say of new ones", async () => {
    await engine.publish("OrderCreated", 500);
    await engine.db.query("analyze deliveries, undelivered");
    await engine.publish("OrderCreated", 300);
    const rows = await engine.db.query<{ id: string; ctid: string; jobId: string; eventId: string }>(
      `select id, ctid, job_id as "jobId", event_id as "eventId" from deliveries order by id desc limit 300`,
    );
    const { claimed } = await published();
    const results = rows.map(({ id, ctid, jobId, eventId }) => ({
      ...resultOf(claimed, 200),
      deliveryId: id,
      ctid,
      jobId,
      eventId,
    }));
    await withTransaction(engine.db, async (tx) => {
      const seen: Node[] = [];
      const explaining = {
        ...tx,
        async query(text: string, values?: readonly unknown[]) {
          const [row] = await tx.query<{ "QUERY PLAN": { Plan: Node }[] }>(
            `explain (analyze, format json) ${text}`,
            values,
          );
          if (row?.["QUERY PLAN"][0]) seen.push(row["QUERY PLAN"][0].Plan);
          return [];
        },
      };
      await settleDeliveries(explaining, results);
      const most = Math.max(...seen.flatMap(nodesOf).map(rowsLookedAt));
      expect(most).toBeGreaterThanOrEqual(300);
      expect(most).toBeLessThan(2_000);
    });
    await expectMirrored(["pending", ...Array.from({ length: 500 }, () => "pending")]);
  });
});

describe("noting what is delivered", () => {
  const plan = async (tx: Tx, name: string) => {
    const values = Array.from({ length: 8 }, (_, n) =>
      n === 2 ? "'{\"(0,1)\"}'" : n > 2 && n < 5 ? "'{1}'" : "'{}'",
    );
    const rows = await tx.query<{ "QUERY PLAN": string }>(`explain execute "${name}"(${values})`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };

  it("goes to where rows lie and by the key of what is not delivered, although it was planned when there was nothing", async () => {
    const { claimed } = await published();
    await engine.clear();
    await withTransaction(engine.db, async (tx) => {
      expect(await settleDeliveries(tx, [resultOf(claimed, 200)])).toEqual(new Map());
      const [prepared] = await tx.query<{ name: string }>(
        "select name from pg_prepared_statements where name like 'note-delivered-%'",
      );
      const text = await plan(tx, prepared?.name ?? "");
      expect(text).toMatch(/Tid Scan on deliveries_\d+/);
      expect(text).toMatch(/Index Scan (on|using) undelivered_by_status/);
      expect(text).not.toContain("Seq Scan");
    });
  });

  it("falls back to the key for the one of many that was changed since it was read", async () => {
    await engine.publish("OrderCreated", 3);
    const rows = await engine.db.query<{ id: string; ctid: string; jobId: string; eventId: string }>(
      `select id, ctid, job_id as "jobId", event_id as "eventId" from deliveries order by id`,
    );
    const { claimed } = await published();
    await engine.db.query("update deliveries set step = 0 where id = $1", [rows[1]?.id]);
    const results = rows.map(({ id, ...rest }) => ({ ...resultOf(claimed, 200), ...rest, deliveryId: id }));
    const twice = [...results, ...results.slice(0, 1)];
    const settled = await withTransaction(engine.db, (tx) => settleDeliveries(tx, twice));
    expect([...settled].toSorted()).toEqual(
      rows.map(({ id }) => [id, expect.objectContaining({ attempts: 1, status: "delivered" })]),
    );
    await expectMirrored(["pending"]);
    expect(await withTransaction(engine.db, (tx) => settleDeliveries(tx, results))).toEqual(new Map());
  });
});

interface Node {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Node[];
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const rowsLookedAt = (node: Node) =>
  (node["Actual Rows"] + (node["Rows Removed by Join Filter"] ?? 0)) * node["Actual Loops"];
