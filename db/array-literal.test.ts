import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { arrayLiteral } from "./array-literal.ts";
import { connect, type Db } from "./client.ts";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "array-test" });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/** What PostgreSQL makes of an array literal. */
async function read(type: string, values: readonly unknown[]): Promise<unknown[]> {
  const rows = await db.query(`select v from unnest($1::${type}[]) with ordinality as u (v, n) order by n`, [
    arrayLiteral(type, values),
  ]);
  return rows.map((row) => row.v);
}

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(fc.option(arbitrary), { maxLength: 30 });

it("is read as the texts it was made of: quotes, backslashes, braces, commas, NULL, all of Unicode", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }).map((value) => value.replaceAll("\u0000", "")),
    fc.constantFrom("", "NULL", "null", '"', "\\", "{}", "a,b", ' " \\" ', "\n", '{"a":"\\u0000"}'),
  );
  await fc.assert(
    fc.asyncProperty(nullable(text), async (values) => {
      expect(await read("text", values)).toEqual(values);
    }),
    { numRuns: 50 },
  );
});

it("is read as the bytes it was made of", async () => {
  const bytes = fc.uint8Array({ maxLength: 100 }).map((value) => Buffer.from(value));
  await fc.assert(
    fc.asyncProperty(nullable(bytes), async (values) => {
      expect(await read("bytea", values)).toEqual(values);
    }),
    { numRuns: 50 },
  );
});

it("is read as the numbers, moments and truths it was made of", async () => {
  expect(await read("int", [1, -2, null, 2_147_483_647])).toEqual([1, -2, null, 2_147_483_647]);
  expect(await read("real", [0.5, 1e-7, null, 1e21])).toEqual([0.5, 1e-7, null, 1e21]);
  expect(await read("bool", [true, null, false])).toEqual([true, null, false]);
  const moment = new Date("2026-03-01T12:34:56.789Z");
  expect(await read("timestamptz", [moment, null])).toEqual([moment, null]);
  const id = "0192f0c1-0000-7000-8000-000000000001";
  expect(await read("uuid", [id, null])).toEqual([id, null]);
  expect(await read("uuid", [])).toEqual([]);
});

it("keeps what is no lone surrogate's business out of the database's way", async () => {
  // As the driver does with any other text: UTF-8 has no half of a pair.
  expect(await read("text", ["a\ud800b"])).toEqual(["a\ufffdb"]);
});
