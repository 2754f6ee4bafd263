import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DeliveryStatus } from "#contracts/deliveries.ts";
import { uuidFloor } from "#contracts/ids.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { connect, type Db, withTransaction } from "../client.ts";
import { insertDeliveries } from "./deliveries.ts";
import { deleteDeliveryMinutes } from "./delivery-minutes.ts";
import { listDeliveries } from "./list-deliveries.ts";

const TENANT = "00000000-0000-7000-8000-0000000000aa";
const OTHER = "00000000-0000-7000-8000-0000000000bb";
const TYPES = ["often", "seldom", "old", "never"];
const STATUSES = ["pending", "delivered", "failed", "cancelled", "dismissed"] as const;
const MINUTE_MS = 60_000;
const MINUTES = 400;
let database: TestDatabase;
let db: Db;
let start: number;
const stored: { id: string; type: string; status: string }[] = [];

const idAt = (ms: number, n: number) =>
  `${uuidFloor(ms).slice(0, 13)}-7000-8000-${String(n).padStart(12, "0")}`;

/** Stores deliveries as those do who publish, a transaction for each minute. */
async function store(tenantId: string): Promise<void> {
  for (let minute = 0; minute < MINUTES; minute += 4)
    await withTransaction(db, (tx) =>
      insertDeliveries(
        tx,
        tenantId,
        [0, 1, 2, 3].map((n) => {
          // The first and the last millisecond of a minute, and the first of the next one.
          const at = start + minute * MINUTE_MS + ([0, 20_000, 59_999, 60_000][n] ?? 0);
          const type = n === 1 && minute % 40 === 0 ? "seldom" : minute < 40 && n === 3 ? "old" : "often";
          const id = idAt(at, minute + n);
          return { id, eventId: id, eventType: type, endpointId: id, jobId: id, createdAt: new Date(at) };
        }),
      ),
    );
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "list-by-type" });
  start = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 3 * 3_600_000;
  await store(TENANT);
  await store(OTHER);
  await db.query(
    `update deliveries set status = (array['pending','delivered','delivered','failed','cancelled','dismissed','delivered'])
       [1 + (('x' || right(id::text, 4))::bit(16)::int % 7)]`,
  );
  stored.push(
    ...(await db.query<(typeof stored)[number]>(
      "select id, event_type as type, status from deliveries where tenant_id = $1 order by id",
      [TENANT],
    )),
  );
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const anyTime = () => fc.integer({ min: -1, max: MINUTES * MINUTE_MS + MINUTE_MS });

it("has what a look at every delivery has, however types, states, times, cursors and directions come together", async () => {
  expect(stored).toHaveLength(MINUTES);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 4 }),
      fc.option(fc.uniqueArray(fc.constantFrom(...STATUSES), { minLength: 1 }), { nil: undefined }),
      fc.record({ from: fc.option(anyTime()), to: fc.option(anyTime()), at: fc.option(fc.nat(MINUTES - 1)) }),
      fc.record({ limit: fc.integer({ min: 1, max: 60 }), backward: fc.boolean() }),
      async (eventTypes, statuses, { from, to, at }, page) => {
        const bound = (ms: number | null) => (ms === null ? undefined : uuidFloor(start + ms));
        const [fromId, toId] = [bound(from), bound(to)];
        const cursor = at === null ? undefined : stored[at]?.id;
        const expected = stored
          .filter(
            ({ id, type, status }) =>
              eventTypes.includes(type) &&
              (statuses === undefined || statuses.some((each) => each === status)) &&
              (fromId === undefined || id >= fromId) &&
              (toId === undefined || id < toId) &&
              (cursor === undefined || (page.backward ? id > cursor : id < cursor)),
          )
          .map(({ id }) => id);
        if (!page.backward) expected.reverse();
        const bounds = { ...(fromId ? { fromId } : {}), ...(toId ? { toId } : {}) };
        const filter = { ids: [], endpointIds: [], eventIds: [], eventTypes, ...bounds };
        const rows = await listDeliveries(
          db,
          TENANT,
          {
            ...filter,
            ...(statuses ? { statuses: statuses.map((each) => DeliveryStatus.parse(each)) } : {}),
          },
          { ...page, from: cursor ? [cursor] : null },
        );
        expect(rows.map(({ id }) => id)).toEqual(expected.slice(0, page.limit + 1));
      },
    ),
    { numRuns: 150 },
  );
});

it("writes a minute of a type once while it is known, again where it may have been lost, and not for what was undone", async () => {
  const tenantId = "00000000-0000-7000-8000-0000000000cc";
  const at = start + 100_000;
  let made = 0;
  const insert = (over: Db, end = () => {}) =>
    withTransaction(over, async (tx) => {
      const id = idAt(at, 10_000 + ++made);
      const row = { id, eventId: id, endpointId: id, jobId: id, createdAt: new Date(at) };
      await insertDeliveries(tx, tenantId, [{ ...row, eventType: "known" }]);
      end();
    });
  const rows = async () =>
    (await db.query("select 1 from delivery_minutes where tenant_id = $1", [tenantId])).length;
  const one = connect(database.url, { name: "one", maxConnections: 1 });
  const undone = insert(one, () => {
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await rows()).toBe(0);
  await insert(one);
  await insert(one);
  expect(await rows()).toBe(1);
  await one.query("select pg_terminate_backend(pg_backend_pid())").catch(() => {});
  await insert(one);
  expect(await rows()).toBe(2);
  await one.close();
});

it("forgets the minutes of a past day that have no delivery any more, and no others", async () => {
  const kept = await db.query("select distinct tenant_id, event_type, minute from delivery_minutes");
  await db.query("insert into tenants (id, name) values ($1, 'past'), ($2, 'long')", [TENANT, OTHER]);
  await db.query("update tenants set retention_days = 365 where id = $1", [OTHER]);
  await db.query(
    `insert into delivery_minutes select t, 'gone', $2::int - n from unnest($1::uuid[]) t, generate_series(1, 50) n`,
    [[TENANT, OTHER], Math.floor(start / MINUTE_MS) - 10 * 1440],
  );
  const purge = (today: number) =>
    deleteDeliveryMinutes(db, { today: new Date(today), days: 5, lagDays: 3, limit: 30 });
  expect([await purge(start), await purge(start), await purge(start)]).toEqual([30, 20, 0]);
  expect(await purge(start + 20 * 86_400_000)).toBe(0);
  const left = await db.query("select distinct tenant_id, event_type, minute from delivery_minutes");
  expect(left).toHaveLength(kept.length + 50);
});
