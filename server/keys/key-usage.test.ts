import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { type ApiKeyRow, findApiKeys } from "#db/queries/keys.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { createLogger } from "../log/logger.ts";
import { createTenant } from "../tenants/create-tenant.ts";
import { createApiKey } from "./create-api-key.ts";
import { KeyUsage } from "./key-usage.ts";

const log = createLogger({ name: "test", level: "silent" });
let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "usage-test" });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Keys that have just been made, as they are looked up. */
async function newKeys(count: number): Promise<(ApiKeyRow & { kind: "key" })[]> {
  const now = new Date();
  const publicIds = await withTransaction(db, async (tx) => {
    const { id: tenantId } = await createTenant(tx, { name: "Acme", now });
    const made: string[] = [];
    for (let n = 0; n < count; n++)
      made.push((await createApiKey(tx, { tenantId, name: `${n}`, now })).record.publicId);
    return made;
  });
  return (await findApiKeys(db, publicIds)).map((row) => ({ kind: "key", ...row }));
}

/** Counts what is written. */
function counted() {
  let statements = 0;
  const counting = {
    query: (...query: Parameters<Db["query"]>) => {
      statements++;
      return db.query(...query);
    },
  } as unknown as Db;
  return { usage: new KeyUsage({ db: counting, log }), statements: () => statements };
}

const lastUses = async (keys: readonly ApiKeyRow[]) =>
  (
    await findApiKeys(
      db,
      keys.map(({ publicId }) => publicId),
    )
  ).map(({ lastUsedAt }) => lastUsedAt);

describe("the use of keys", () => {
  it("is noted in one statement, whatever the number of keys and requests", async () => {
    const keys = await newKeys(20);
    const { usage, statements } = counted();
    const at = new Date();
    for (const key of [...keys, ...keys, ...keys]) usage.note(key, at);
    await expect.poll(() => lastUses(keys)).toEqual(keys.map(() => at));
    expect(statements()).toBe(1);
    await usage.write();
    expect(statements()).toBe(1);
  });

  it("is noted once a minute, and never set back", async () => {
    const [key] = await newKeys(1);
    if (!key) throw new Error("no key");
    const { usage, statements } = counted();
    const lastUsedAt = new Date();
    const later = (ms: number) => new Date(lastUsedAt.getTime() + ms);
    usage.note({ ...key, lastUsedAt }, later(59_999));
    await usage.write();
    expect(statements()).toBe(0);
    usage.note({ ...key, lastUsedAt }, later(60_000));
    await usage.write();
    expect(await lastUses([key])).toEqual([later(60_000)]);
    usage.note(key, later(1_000));
    await usage.write();
    expect(await lastUses([key])).toEqual([later(60_000)]);
  });

  it("waits for nobody who is changing a key, and makes no trouble while the database is away", async () => {
    const [key] = await newKeys(1);
    if (!key) throw new Error("no key");
    const usage = new KeyUsage({ db, log });
    await withTransaction(db, async (tx) => {
      await tx.query("select 1 from api_keys where id = $1 for update", [key.id]);
      usage.note(key, new Date());
      await usage.write();
    });
    expect(await lastUses([key])).toEqual([null]);
    const away = connect("postgres://nobody@127.0.0.1:1/none", { name: "test" });
    const alone = new KeyUsage({ db: away, log });
    alone.note(key, new Date());
    await alone.write();
    await away.close();
  });
});
