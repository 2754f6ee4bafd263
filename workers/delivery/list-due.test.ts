import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { uuidFloor } from "#contracts/ids.ts";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { partitionName } from "#db/partitions.ts";
import type { Named } from "#db/queries/delivering.ts";
import { listDue } from "#db/queries/list-due.ts";
import { storeEvents } from "#server/events/store-events.ts";
import { newId } from "#server/new-id.ts";
import { daysAgo } from "#tests/past-days.ts";
import { openEngineAlone, type TestEngine } from "./test-support.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngineAlone();
});
afterAll(() => engine?.close());

/** Those of all deliveries, with as many that there are not. */
async function named(unknown: number): Promise<Named> {
  const rows = await engine.deliveries();
  const all = [...rows, ...Array.from({ length: unknown }, () => ({ id: newId(), jobId: newId() }))];
  return {
    tenantIds: all.map(() => engine.tenantId),
    ids: all.map(({ id }) => id),
    jobIds: all.map(({ jobId }) => jobId),
  };
}

/** A connection as a worker's. */
function connectOnce(): Db {
  const db = connect(engine.url, { name: "due-test", maxConnections: 1, joinByIndex: true });
  onTestFinished(() => db.close());
  return db;
}

describe("what is due", () => {
  it("is the same whether few are read together or many apart, and wherever their events are", async () => {
    const [held, shut] = [
      await engine.addEndpoint({ url: "https://a.example" }),
      await engine.addEndpoint({ url: "https://b.example" }),
    ];
    const deps = { boss: engine.boss, now: () => new Date(), wakeWorkers() {} };
    const publish = (id: string) =>
      withTransaction(engine.db, (tx) =>
        storeEvents(tx, deps, engine.tenantId, [{ id, type: "A", data: '{"n":1}' }]),
      );
    await publish(newId());
    await engine.db.query("update webhook_endpoints set status = 'paused' where id = $1", [held.id]);
    await engine.db.query("update webhook_endpoints set status = 'disabled' where id = $1", [shut.id]);
    const states = async (unknown: number) => listDue(engine.db, await named(unknown));
    const few = await states(0);
    expect(few.map(({ endpointState }) => endpointState).toSorted()).toEqual(["closed", "held", "open"]);
    expect(await states(20)).toEqual(few);

    const old = uuidFloor(daysAgo(1));
    await publish(old);
    const withOld = await states(0);
    expect(withOld.filter(({ eventId }) => eventId === old).map(({ body }) => JSON.parse(body).data)).toEqual(
      [{ n: 1 }, { n: 1 }],
    );
    expect(await states(20)).toEqual(withOld);
    await engine.clear();
  });

  it("is nothing of what lies between and waits for another job, nor is the event of that read", async () => {
    await engine.publish("A", 40);
    await engine.db.query(
      `update deliveries d set job_id = $1
         from (select id, row_number() over (order by id) as n from deliveries) as numbered
        where numbered.id = d.id and n % 2 = 0`,
      [newId()],
    );
    const all = await named(0);
    const [one] = all.jobIds;
    const ofOne = all.jobIds.flatMap((jobId, n) => (jobId === one ? [n] : []));
    const pick = (list: readonly string[]) => ofOne.map((n) => list[n] ?? "");
    const mine = { tenantIds: pick(all.tenantIds), ids: pick(all.ids), jobIds: pick(all.jobIds) };
    expect(mine.ids.length).toBeGreaterThan(8);

    const texts: string[] = [];
    const watched = {
      ...engine.db,
      async query<R extends Record<string, unknown>>(
        text: string,
        values?: readonly unknown[],
        name?: string,
      ) {
        const rows = await engine.db.query<R>(text, values, name);
        if (name?.startsWith("list-events")) texts.push(...rows.map((row) => String(row.body)));
        return rows;
      },
    };
    const due = await listDue(watched, mine);
    expect(due.map(({ id }) => id).toSorted()).toEqual(mine.ids.toSorted());
    expect(new Set(due.map(({ jobId }) => jobId))).toEqual(new Set([one]));
    expect(due.map(({ body }) => body).toSorted()).toEqual(texts.toSorted());
    for (const { eventId, body } of due) expect(JSON.parse(body).id).toBe(`evt_${eventId}`);
    await engine.clear();
  });

  it("is each delivery once, in whatever order a job names them", async () => {
    await engine.publish("A", 40);
    const { tenantIds, ids, jobIds } = await named(0);
    // Each two are the other way round.
    const pick = (list: readonly string[]) => list.map((_, n) => list[n % 2 ? n - 1 : n + 1] ?? "");
    const due = await listDue(engine.db, { tenantIds, ids: pick(ids), jobIds: pick(jobIds) });
    expect(due.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    await engine.clear();
  });

  it("is looked up by primary key, although the plan was made when there was nothing", async () => {
    const db = connectOnce();
    for (const unknown of [1, 20]) expect(await listDue(db, await named(unknown))).toEqual([]);
    await engine.publish("A", 10);
    expect(await listDue(db, await named(0))).not.toEqual([]);
    await engine.publish("A", 2_000);
    const prepared = await db.query<{ name: string }>(
      "select name from pg_prepared_statements where name like 'list-%' and name not like '%endpoints' order by name",
    );
    const [deliveries, events] = [
      partitionName("deliveries", daysAgo(0)),
      partitionName("events", daysAgo(0)),
    ];
    expect(prepared.map(({ name }) => name)).toEqual([
      `list-due-${deliveries}`,
      `list-events-${events}`,
      `list-waiting-${deliveries}`,
    ]);
    for (const { name } of prepared) {
      const ids = "array[gen_random_uuid()]";
      const values = Array(name.startsWith("list-due") ? 3 : 4).fill(ids);
      const plan = (await db.query<{ "QUERY PLAN": string }>(`explain execute "${name}"(${values})`))
        .map((row) => row["QUERY PLAN"])
        .join("\n");
      const scans = [...plan.matchAll(/(\w+ Scan) using (\w+)/g)].map(([, , index]) => index);
      expect(plan).not.toContain("Seq Scan");
      const indexes = [`${deliveries}_pkey`, `${events}_pkey`, "webhook_endpoints_tenant_id_id_pk"];
      expect(scans).toEqual(
        name.startsWith("list-due") ? indexes : [indexes[name.startsWith("list-events") ? 1 : 0]],
      );
    }
    await engine.clear();
  });
});
