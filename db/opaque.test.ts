import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#server/new-id.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { connect, type Db, withTransaction } from "./client.ts";
import { insertEvents } from "./queries/events.ts";
import { findApiKeys } from "./queries/keys.ts";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "opaque-test", maxConnections: 1 });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

async function plansOf(name: string): Promise<unknown> {
  const [plans] = await db.query(
    "select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements where name = $1",
    [name],
  );
  return plans;
}

it("has the look-up of keys planned once, not for each call", async () => {
  for (let times = 0; times < 10; times++) expect(await findApiKeys(db, ["0123456789abcdef"])).toEqual([]);
  expect(await plansOf("find-api-keys")).toEqual({ custom: 5, generic: 5 });
});

it("has the insert of events planned once, however many they are", async () => {
  const { id: tenantId } = await withTransaction(db, (tx) =>
    createTenant(tx, { name: "Test", now: new Date() }),
  );
  const row = () => ({
    ...{ id: newId(), type: "A", head: "{", tail: "}" },
    ...{ contentHash: null, onlyTo: null },
  });
  for (let times = 0; times < 10; times++) {
    const events = Array.from({ length: 1 + 5 * times }, row);
    await withTransaction(db, (tx) => insertEvents(tx, tenantId, { at: new Date(), events }));
  }
  expect(await plansOf("insert-events")).toEqual({ custom: 5, generic: 5 });
});
