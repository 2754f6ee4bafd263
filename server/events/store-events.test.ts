import { randomBytes } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connect, type Db, withSavepoint, withTransaction } from "#db/client.ts";
import { sqlState } from "#db/database-errors.ts";
import { insertEndpoint } from "#db/queries/endpoints.ts";
import { readFeed } from "#db/queries/events.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { openQueue } from "../queue/boss.ts";
import { onCommit } from "../queue/wake-workers.ts";
import { createTenant } from "../tenants/create-tenant.ts";
import { type EventToStore, storeEvents } from "./store-events.ts";

let database: TestDatabase;
let db: Db;
let boss: PgBoss;
let tenantId: string;
const woken = vi.fn();
const wakeWorkers = onCommit(woken);

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "events-test", maxConnections: 24 });
  boss = openQueue(db, { supervise: false, onError: () => {} });
  await boss.start();
});
afterAll(async () => {
  await boss?.stop({ graceful: false });
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  woken.mockClear();
  tenantId = (await withTransaction(db, (tx) => createTenant(tx, { name: "Test", now: new Date() }))).id;
});

const deps = () => ({ boss, now: () => new Date(), wakeWorkers });
const store = (events: EventToStore[]) =>
  withTransaction(db, (tx) => storeEvents(tx, deps(), tenantId, events));

async function addEndpoint(eventTypes: string[]): Promise<string> {
  const id = uuidv7();
  const endpoint = {
    url: "https://example.com",
    description: null,
    signatureFormat: "hex",
    timeoutMs: 1_000,
  };
  await withTransaction(db, (tx) =>
    insertEndpoint(tx, tenantId, { id, ...endpoint, eventTypes, maxInFlight: 10, createdAt: new Date() }),
  );
  return id;
}

const count = async (table: string, where = "") => {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from ${table} where tenant_id = $1 ${where}`,
    [tenantId],
  );
  return row?.count;
};

const jobs = () =>
  db.query<{ id: string; ids: string[] }>(
    `select id, data->'deliveryIds' as ids from pgboss.job where data->>'tenantId' = $1 order by created_on, id`,
    [tenantId],
  );

describe("the sequence of a tenant", () => {
  it("is contiguous and in the order of commits: four readers miss and repeat nothing while sixteen publish", async () => {
    const EVENTS = 16 * 40 * 3;
    const acknowledged: string[] = [];
    let isPublishing = true;

    const publish = async (publisher: number) => {
      for (let i = 0; i < 40; i++) {
        const events = Array.from({ length: 3 }, (_, n) => ({
          type: "T",
          data: `{"p":${publisher},"i":${i},"n":${n}}`,
        }));
        acknowledged.push(...(await store(events)).map(({ sequence }) => sequence));
        // One that comes to nothing after it has got its numbers.
        const undone = withTransaction(db, async (tx) => {
          await storeEvents(tx, deps(), tenantId, events);
          throw new Error("undone");
        });
        await expect(undone).rejects.toThrow("undone");
      }
    };
    const follow = async () => {
      const seen: { sequence: string; body: string }[] = [];
      for (let after = "0"; isPublishing || seen.length < EVENTS; ) {
        const page = await readFeed(db, {
          tenantId,
          after,
          types: null,
          limit: 7,
          span: 7,
          maxBytes: 1_000_000,
        });
        seen.push(...page.events);
        after = page.events.at(-1)?.sequence ?? after;
        if (!isPublishing && page.events.length === 0) break;
      }
      return seen;
    };

    const readers = Array.from({ length: 4 }, follow);
    await Promise.all(Array.from({ length: 16 }, (_, publisher) => publish(publisher)));
    isPublishing = false;
    const numbers = Array.from({ length: EVENTS }, (_, i) => String(i + 1));
    for (const seen of await Promise.all(readers)) {
      expect(seen.map(({ sequence }) => sequence)).toEqual(numbers);
      for (const { sequence, body } of seen) expect(JSON.parse(body).sequence).toBe(Number(sequence));
      expect(new Set(seen.map(({ body }) => JSON.stringify(JSON.parse(body).data))).size).toBe(16 * 40 * 3);
    }
    expect(acknowledged.sort((a, b) => Number(a) - Number(b))).toEqual(numbers);
  });

  it("follows the order of a batch and belongs to one tenant", async () => {
    const first = await store([
      { type: "A", data: "{}" },
      { type: "B", data: "{}" },
    ]);
    expect(first.map(({ sequence }) => sequence)).toEqual(["1", "2"]);
    const here = tenantId;
    tenantId = (await withTransaction(db, (tx) => createTenant(tx, { name: "Other", now: new Date() }))).id;
    expect((await store([{ type: "A", data: "{}" }]))[0]?.sequence).toBe("1");
    tenantId = here;
    expect((await store([{ type: "A", data: "{}" }]))[0]?.sequence).toBe("3");
  });

  it("leaves no gap where an id was taken and the transaction went on", async () => {
    const id = uuidv7();
    await store([{ id, type: "A", data: "{}" }]);
    await withTransaction(db, async (tx) => {
      const taken = withSavepoint(tx, (inner) =>
        storeEvents(inner, deps(), tenantId, [{ id, type: "A", data: "{}" }]),
      );
      await expect(taken).rejects.toSatisfy((error) => sqlState(error) === "23505");
      await storeEvents(tx, deps(), tenantId, [{ type: "A", data: "{}" }]);
    });
    const rows = await db.query("select sequence from events where tenant_id = $1 order by sequence", [
      tenantId,
    ]);
    expect(rows.map((row) => row.sequence)).toEqual(["1", "2"]);
  });
});

describe("storing events", () => {
  it("keeps data to the byte", async () => {
    const data = `{"z":1.50,"a":"\\u00e9 é \u2028","n":12345678901234567890,"e":1E+2 ,"x":"${randomBytes(3000).toString("hex")}"}`;
    const [stored] = await store([{ type: "A", data }]);
    expect(stored?.body.endsWith(`"data":${data}}`)).toBe(true);
    const [row] = await db.query("select body from events where tenant_id = $1", [tenantId]);
    expect(row?.body).toBe(stored?.body);
  });

  it("makes one delivery for each endpoint that subscribes, and jobs of at most fifty", async () => {
    const all = await addEndpoint(["*"]);
    const orders = await addEndpoint(["Order*"]);
    const exact = await addEndpoint(["OrderCreated", "Ping"]);
    const disabled = await addEndpoint(["*"]);
    const deleted = await addEndpoint(["*"]);
    await db.query("update webhook_endpoints set status = 'disabled' where id = $1", [disabled]);
    await db.query("update webhook_endpoints set deleted_at = now() where id = $1", [deleted]);

    const types = ["OrderCreated", "OrderPaid", "Ping", "CartCreated"];
    await store(Array.from({ length: 40 }, (_, i) => ({ type: types[i % 4] ?? "", data: "{}" })));
    const made = await db.query<{ endpoint: string; type: string; count: number }>(
      `select endpoint_id as endpoint, event_type as type, count(*)::int as count from deliveries
        where tenant_id = $1 and status = 'pending' and next_attempt_at <= now() group by 1, 2`,
      [tenantId],
    );
    const of = (endpoint: string) =>
      Object.fromEntries(
        made.filter((row) => row.endpoint === endpoint).map(({ type, count }) => [type, count]),
      );
    expect(of(all)).toEqual({ OrderCreated: 10, OrderPaid: 10, Ping: 10, CartCreated: 10 });
    expect(of(orders)).toEqual({ OrderCreated: 10, OrderPaid: 10 });
    expect(of(exact)).toEqual({ OrderCreated: 10, Ping: 10 });
    expect(await count("deliveries")).toBe(80);

    const chunks = await jobs();
    expect(chunks.map(({ ids }) => ids.length).sort()).toEqual([30, 50]);
    for (const { id, ids } of chunks) {
      const rows = await db.query("select id from deliveries where job_id = $1", [id]);
      expect(new Set(rows.map((row) => row.id))).toEqual(new Set(ids));
    }
    expect(woken.mock.calls).toEqual([["fresh"]]);
  });

  it("wakes those who look into the queues of ordered endpoints where one gets something", async () => {
    const ordered = await addEndpoint(["*"]);
    await db.query("update webhook_endpoints set ordered = true where id = $1", [ordered]);
    await store([{ type: "A", data: "{}" }]);
    expect(woken.mock.calls).toEqual([[undefined]]);
  });

  it("makes none for an endpoint whose filter the event does not match, but those of one that is paused", async () => {
    const paid = await addEndpoint(["Order*"]);
    const paused = await addEndpoint(["Order*"]);
    await db.query("update webhook_endpoints set filter = $2 where id = $1", [paid, '{"status":"paid"}']);
    await db.query("update webhook_endpoints set status = 'paused' where id = $1", [paused]);
    await store(
      ["open", "paid", "open"].map((status) => ({ type: "OrderPaid", data: JSON.stringify({ status }) })),
    );
    const rows = await db.query<{ endpoint: string }>(
      "select endpoint_id as endpoint from deliveries where tenant_id = $1",
      [tenantId],
    );
    const made = Map.groupBy(rows, ({ endpoint }) => endpoint);
    expect([made.get(paid)?.length, made.get(paused)?.length]).toEqual([1, 3]);
  });

  it("stores all of it or nothing, and wakes nobody for nothing", async () => {
    await addEndpoint(["*"]);
    const undone = withTransaction(db, async (tx) => {
      await storeEvents(tx, deps(), tenantId, [{ type: "A", data: "{}" }]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([await count("events"), await count("deliveries"), (await jobs()).length]).toEqual([0, 0, 0]);
    expect(woken).not.toHaveBeenCalled();
    expect((await store([{ type: "A", data: "{}" }]))[0]?.sequence).toBe("1");
  });

  it("makes no job when nobody subscribes", async () => {
    await addEndpoint(["B"]);
    await store([{ type: "A", data: "{}" }]);
    expect([await count("events"), await count("deliveries"), (await jobs()).length]).toEqual([1, 0, 0]);
    expect(woken).not.toHaveBeenCalled();
  });
});
