import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { connect, type Db } from "./client.ts";
import { joinedTexts, splitTexts } from "./joined-texts.ts";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "joined-test" });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

async function read(texts: readonly string[]): Promise<unknown[]> {
  const rows = await db.query(
    `select v from unnest(${splitTexts("$1")}) with ordinality as u (v, n) order by n`,
    [joinedTexts(texts)],
  );
  return rows.map((row) => row.v);
}

it("gives back any texts of JSON to the byte, control characters within strings among them", async () => {
  const hostile = fc.constantFrom("\u001e", "\u0000", '"', "\\", "{}", "\n", "NULL", "\u2028", "𝄞");
  const values = fc.oneof(
    fc.jsonValue(),
    fc.array(hostile).map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 20 }), async (list) => {
      const texts = list.map((value) => JSON.stringify(value, null, 1).toWellFormed());
      expect(await read(texts)).toEqual(texts);
    }),
    { numRuns: 100 },
  );
});

it("makes no texts of none", async () => {
  expect(await read([])).toEqual([]);
});
