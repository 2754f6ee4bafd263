import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { sumHours } from "#db/queries/endpoint-hours.ts";
import { addToMinutes, sumMinutes } from "#db/queries/endpoint-minutes.ts";
import { insertEndpoint } from "#db/queries/endpoints.ts";
import { noLatencies } from "#server/domain/latency.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { addUpHours } from "./add-up-hours.ts";
import { purgeMinutes } from "./purge-minutes.ts";

const HOUR_MS = 3_600_000;
let database: TestDatabase;
let db: Db;
let tenantId: string;
const endpointIds = [uuidv7(), uuidv7()];
/** The beginning of the hour that runs. */
const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "hours", joinByIndex: true });
  await withTransaction(db, async (tx) => {
    tenantId = (await createTenant(tx, { name: "hours", now: new Date() })).id;
    for (const id of endpointIds)
      await insertEndpoint(tx, tenantId, {
        id,
        url: "https://example.com/hooks",
        description: null,
        eventTypes: ["*"],
        signatureFormat: "hex",
        timeoutMs: 15_000,
        maxInFlight: 10,
        createdAt: new Date(),
      });
  });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/** Adds to a minute of both endpoints, so many hours before the one that runs. */
const add = (hoursAgo: number, minute: number, attempts: number) =>
  withTransaction(db, (tx) => {
    const latencies = noLatencies().map((_, n) => (n % 7 === minute % 7 ? attempts : 0));
    const at = new Date(hour - hoursAgo * HOUR_MS + minute * 60_000);
    const rows = endpointIds.map((endpointId, n) => ({
      ...{ tenantId, endpointId, minute: at, attempts: attempts + n, succeeded: attempts - 1, latencies },
    }));
    return addToMinutes(tx, rows, new Date());
  });

/** The figures by the hour and by the day, which must be those of the minutes. */
async function figures() {
  const both = [];
  for (const endpointId of endpointIds)
    for (const bucketMs of [HOUR_MS, 24 * HOUR_MS]) {
      const to = new Date(Math.ceil((hour + 1) / bucketMs) * bucketMs);
      const of = { tenantId, endpointId, from: new Date(to.getTime() - 30 * 24 * HOUR_MS), to, bucketMs };
      const inOrder = (rows: { start: Date }[]) => rows.toSorted((a, b) => +a.start - +b.start);
      const hours = inOrder(await sumHours(db, of));
      expect(hours).toEqual(inOrder(await sumMinutes(db, of)));
      both.push(hours);
    }
  return both;
}

async function addUpAll(): Promise<number> {
  let hours = 0;
  while (await addUpHours({ db })) hours++;
  return hours;
}

const stored = async () =>
  (await db.query("select extract(epoch from hour) as at from endpoint_hours")).map(
    ({ at }) => (hour - Number(at) * 1000) / HOUR_MS,
  );

it("adds every hour up once it is over for an hour, and whatever is added later counts too", async () => {
  for (const ago of [0, 1, 2, 3, 50, 51, 700])
    for (const minute of [0, 7, 59]) await add(ago, minute, 3 + ago);
  const before = await figures();
  expect(before[0]).toHaveLength(7);
  expect(await addUpAll()).toBeGreaterThanOrEqual(698);
  expect(await addUpAll()).toBe(0);
  expect(new Set(await stored())).toEqual(new Set([2, 3, 50, 51, 700]));
  expect(await figures()).toEqual(before);

  await add(50, 7, 5);
  await add(49, 8, 5);
  await add(0, 1, 5);
  expect(new Set(await stored())).toEqual(new Set([2, 3, 51, 700]));
  const after = await figures();
  expect(after).not.toEqual(before);
  await addUpAll();
  expect(await figures()).toEqual(after);
});

it("leaves an hour alone that somebody is just adding to", async () => {
  await db.query("update endpoint_hours_until set until = until - interval '2 hours'");
  await withTransaction(db, async (tx) => {
    const minute = new Date(hour - 100 * HOUR_MS);
    const row = { tenantId, endpointId: endpointIds[0] ?? "", minute, attempts: 1, succeeded: 1 };
    await addToMinutes(tx, [{ ...row, latencies: noLatencies() }], new Date());
    expect(await addUpHours({ db })).toBe(false);
  });
  expect(await addUpHours({ db })).toBe(true);
  await figures();
});

it("forgets hours with their minutes", async () => {
  const later = new Date(hour + 29 * 24 * HOUR_MS + 1);
  while (await purgeMinutes({ db, now: () => later }));
  expect(new Set(await stored())).toEqual(new Set([2, 3]));
  await figures();
});
