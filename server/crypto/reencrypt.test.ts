import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { listSealedBy } from "#db/queries/sealed-secrets.ts";
import { insertStaff } from "#db/queries/staff.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { beginSetUp } from "../staff/second-factor.ts";
import { sealedIdentity } from "./identities.ts";
import { createKeyring, newRootKey, parseRootKeys } from "./keyring.ts";
import { reencrypt } from "./reencrypt.ts";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "reencrypt-test" });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

it("keeps authenticator apps when the root key that sealed their secrets goes", async () => {
  const [first, second] = [newRootKey("k1"), newRootKey("k2")];
  const [userId, email] = [uuidv7(), "kim@example.com"];
  const old = createKeyring(parseRootKeys(first));
  await withTransaction(db, async (tx) => {
    await insertStaff(tx, {
      ...{ id: userId, accountId: uuidv7(), email, name: "Kim", role: "viewer", passwordHash: null },
    });
    await beginSetUp(tx, old, { userId, email }, new Date());
  });
  const [before] = await listSealedBy(db);
  const done = await reencrypt(db, parseRootKeys(`${second},${first}`), async () => {});
  const [after] = await listSealedBy(db);

  expect(done).toEqual({ resealed: 1, unopened: 0 });
  expect([before?.keyId, after?.keyId, after?.part]).toEqual(["k1", "k2", "two_factor"]);
  if (!before || !after) throw new Error("nothing was sealed");
  const secret = old.open(before.sealed, sealedIdentity(before));
  expect(createKeyring(parseRootKeys(second)).open(after.sealed, sealedIdentity(after))).toBe(secret);
});
