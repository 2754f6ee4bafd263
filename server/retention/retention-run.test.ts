import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { makePastDays, storePast } from "#tests/past-days.ts";
import { openTestRetention, type TestRetention } from "#tests/retention.ts";

const endpointId = uuidv7();
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

let retention: TestRetention;
beforeEach(async () => {
  retention = await openTestRetention();
});
afterEach(() => retention?.close());

/** A day's events of a tenant, each with a delivery of that status. */
async function store(tenantId: string, days: readonly number[], status = "delivered") {
  const stored = [];
  for (const ago of days) stored.push(await storePast(retention.db, { tenantId, endpointId, ago, status }));
  return stored;
}

describe("a run of retention", () => {
  it("drops the days that are past, an event's before its deliveries' before its attempts'", async () => {
    const { db, addTenant, run, days, purged, rows } = retention;
    await makePastDays(db, range(3, 11));
    const [tenantId, none] = [await addTenant(), await addTenant()];
    const stored = await store(tenantId, range(5, 11).reverse());

    expect(await run(7)).toEqual([]);
    expect(await days("events")).toEqual([8, 7, 6, 5, 4, 3]);
    expect(await days("deliveries")).toEqual([9, 8, 7, 6, 5, 4, 3]);
    expect(await days("attempts")).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
    expect([await purged(tenantId), await purged(none)]).toEqual([stored[2]?.sequence, "0"]);
    expect(await rows(tenantId)).toEqual([4, 5, 6]);
    expect(await retention.state()).toMatchObject({ result: "done", reason: null, partitions: 6, rows: "0" });
    expect(await run(7)).toEqual([]);
    expect(await retention.state()).toMatchObject({ result: "done", partitions: 0 });
  });

  it("leaves what is not finished with all that belongs to it, and removes the rest of its day", async () => {
    const { db, addTenant, run, days, rows, purged } = retention;
    await makePastDays(db, range(3, 12));
    const [held, other] = [await addTenant(), await addTenant()];
    const [open] = await store(held, [12], "pending");
    const done = await store(held, [12, 12, 10]);
    await store(other, [12, 10]);

    await run(7);
    expect((await days("events"))[0]).toBe(12);
    expect(await rows(other)).toEqual([0, 0, 1]);
    // The attempt of day 10 is younger than its end.
    expect(await rows(held)).toEqual([1, 1, 2]);
    expect(await purged(held)).toBe(done[2]?.sequence);
    await db.query("update deliveries set status = 'failed' where id = $1", [open?.deliveryId]);
    await run(7);
    expect([(await days("events"))[0], (await days("deliveries"))[0], (await days("attempts"))[0]]).toEqual([
      8, 9, 10,
    ]);
    expect(await rows(held)).toEqual([0, 0, 1]);
  });

  it("does not touch a delivery that was cancelled while its request is under way", async () => {
    const { db, addTenant, run, rows } = retention;
    await makePastDays(db, [12]);
    const tenantId = await addTenant();
    const [cancelled] = await store(tenantId, [12], "cancelled");
    await db.query(
      `insert into claims (job_id, queue, worker, tenant_id, delivery_ids)
       select job_id, 'deliver', 1, tenant_id, '{}' from deliveries where id = $1`,
      [cancelled?.deliveryId],
    );
    await run(7);
    expect(await rows(tenantId)).toEqual([1, 1, 1]);
    await db.query("delete from claims");
    await run(7);
    expect(await rows(tenantId)).toEqual([0, 0, 0]);
  });

  it("keeps a day for the tenant whose retention is the longest, and removes from it what is others'", async () => {
    const { db, addTenant, run, days, rows, purged } = retention;
    await makePastDays(db, range(3, 14));
    const [long, short, byDefault] = [await addTenant(30), await addTenant(5), await addTenant()];
    for (const tenantId of [long, short, byDefault]) await store(tenantId, range(8, 10).reverse());

    await run(7);
    expect([await rows(long), await rows(short), await rows(byDefault)]).toEqual([
      [3, 3, 3],
      [0, 0, 1],
      [1, 2, 3],
    ]);
    expect([await purged(long), await purged(short), await purged(byDefault)]).toEqual(["0", "3", "2"]);
    // Those that nobody has anything in are gone.
    expect(await days("events")).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
  });

  it("removes thousands of rows of a day in parts", async () => {
    const { db, addTenant, run, rows, purged } = retention;
    await makePastDays(db, [12]);
    const [long, short] = [await addTenant(30), await addTenant()];
    await store(long, [12]);
    const [one] = await store(short, [12]);
    await db.query(
      `insert into events (tenant_id, id, sequence, type, body, created_at)
       select $1, (left($2::text, 24) || lpad(to_hex(n + 1000000), 12, '0'))::uuid, n, 'Old', '{}', now() from generate_series(2, 2500) n`,
      [short, one?.eventId],
    );
    await run(7);
    expect([await rows(short), await rows(long), await purged(short)]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
      "2500",
    ]);
    expect(await retention.state()).toMatchObject({ rows: "2502", partitions: 0 });
  });

  it("goes on where one that died has stopped", async () => {
    const { db, addTenant, run, days, rows } = retention;
    await makePastDays(db, range(3, 12));
    const tenantId = await addTenant();
    await store(tenantId, [12, 11]);
    // As after a death between two steps: the events of a day are gone, and nothing else.
    await db.query(
      `drop table ${
        (
          await db.query<{ name: string }>(
            "select relname as name from pg_class where relkind = 'r' and relname like 'events\\_2%' order by 1 limit 1",
          )
        )[0]?.name
      }`,
    );
    await run(7);
    expect([await rows(tenantId), (await days("deliveries"))[0]]).toEqual([[0, 0, 0], 9]);
  });

  it("cancels what is pending without an event, which nothing could be sent for", async () => {
    const { db, addTenant, run, rows } = retention;
    await makePastDays(db, [12]);
    const tenantId = await addTenant();
    await store(tenantId, [12], "pending");
    await db.query("truncate events");
    await run(7);
    expect(await db.query("select status from deliveries")).toEqual([{ status: "cancelled" }]);
    await run(7);
    expect(await rows(tenantId)).toEqual([0, 0, 0]);
  });

  it("leaves a table that is in use alone, says so, and lets others go on meanwhile", async () => {
    const { db, addTenant, run, days, rows } = retention;
    await makePastDays(db, range(11, 12));
    const tenantId = await addTenant();
    await store(tenantId, [12]);
    await withTransaction(db, async (reader) => {
      await reader.query("select count(*) from events");
      const running = run(7);
      for (let round = 0; round < 20; round++)
        await withTransaction(db, async (tx) => {
          await tx.query("set local lock_timeout = '1s'");
          await tx.query("select count(*) from events where sequence > 0");
        });
      await running;
    });
    expect((await retention.state())?.result).toBe("partial");
    expect((await retention.state())?.reason).toMatch(/^events_\d{8} is in use; events_\d{8} is in use$/);
    expect([(await days("events"))[0], await rows(tenantId)]).toEqual([12, [1, 1, 1]]);
    await run(7);
    expect([await rows(tenantId), (await retention.state())?.result]).toEqual([[0, 0, 0], "done"]);
  });
});

describe("what goes much further than before", () => {
  it("is refused when nothing was ever removed, until a person says so", async () => {
    const { db, addTenant, run, rows } = retention;
    await makePastDays(db, range(3, 20));
    const tenantId = await addTenant();
    await store(tenantId, range(14, 20));
    expect(await run(7)).toEqual(["retention has never run, and 7 days would go at once"]);
    expect([await rows(tenantId), (await retention.state())?.result]).toEqual([[7, 7, 7], "refused"]);
    expect(await run(7)).toHaveLength(1);
    expect(await run(7, true)).toEqual([]);
    expect([await rows(tenantId), (await retention.state())?.result]).toEqual([[0, 0, 0], "done"]);
  });

  it("is refused when the setting falls or the clock jumps, and nothing is removed", async () => {
    const { db, addTenant, run, rows } = retention;
    await makePastDays(db, range(3, 20));
    const tenantId = await addTenant();
    await store(tenantId, range(12, 20));
    expect(await run(30)).toEqual([]);
    expect(await run(7)).toEqual([
      expect.stringMatching(/with 30 days; with 7 days now, 23 days would go at once$/),
    ]);
    // A clock that is ten days ahead looks like a last run ten days ago.
    await db.query(
      `update retention_state set accepted = accepted || jsonb_build_object('days', 8, 'at', now() - interval '10 days')`,
    );
    expect(await run(8)).toEqual([expect.stringContaining("10 days would go at once")]);
    expect(await rows(tenantId)).toEqual([9, 9, 9]);
    expect((await retention.state())?.accepted?.days).toBe(8);
  });

  it("is refused for a tenant alone, whose days of before go on to hold, while the others' go", async () => {
    const { db, addTenant, run, rows } = retention;
    const [changed, other] = [await addTenant(15), await addTenant()];
    await run(7);
    await makePastDays(db, range(3, 20));
    await store(changed, [20, 9]);
    await store(other, [20, 9]);
    await db.query("update tenants set retention_days = 2 where id = $1", [changed]);
    expect(await run(7)).toEqual([`tenant ${changed}: 2 days in place of 15`]);
    expect([await rows(changed), await rows(other)]).toEqual([
      [1, 1, 1],
      [0, 1, 1],
    ]);
    expect(await retention.state()).toMatchObject({
      result: "refused",
      accepted: { tenants: { [changed]: 15 } },
    });
    expect(await run(7, true)).toEqual([]);
    expect(await rows(changed)).toEqual([0, 0, 0]);
    expect(await run(7)).toEqual([]);
  });

  it("is none of a tenant that is new and has nothing", async () => {
    const { db, addTenant, run } = retention;
    await makePastDays(db, range(3, 10));
    await run(30);
    await addTenant(1);
    expect(await run(30)).toEqual([]);
  });
});
