import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { arrayParameter, type ElementType } from "./array-parameter.ts";
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

/** What PostgreSQL makes of an array. */
async function read(type: ElementType, values: readonly unknown[]): Promise<unknown[]> {
  const rows = await db.query(`select v from unnest($1::${type}[]) with ordinality as u (v, n) order by n`, [
    arrayParameter(type, values),
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
  expect(await read("smallint", [-32_768, null, 32_767])).toEqual([-32_768, null, 32_767]);
  const addresses = ["(0,1)", null, "(4294967295,65535)"];
  expect(await read("tid", addresses)).toEqual(addresses);
  const past = new Date("1969-12-31T23:59:59.999Z");
  expect(await read("timestamptz", [past, new Date("2999-12-31T00:00:00.001Z")])).toEqual([
    past,
    new Date("2999-12-31T00:00:00.001Z"),
  ]);
  await fc.assert(
    fc.asyncProperty(nullable(fc.uuid()), async (ids) => {
      expect(await read("uuid", ids)).toEqual(ids);
      expect(
        await read(
          "uuid",
          ids.map((id) => id?.toUpperCase()),
        ),
      ).toEqual(ids);
    }),
    { numRuns: 30 },
  );
  expect(await read("uuid", [])).toEqual([]);
});

it("keeps what is no lone surrogate's business out of the database's way", async () => {
  // As the driver does with any other text: UTF-8 has no half of a pair.
  expect(await read("text", ["a\ud800b"])).toEqual(["a\ufffdb"]);
});

it("takes arrays of any size", async () => {
  const large = ["x".repeat(300_000), null, "\u20ac".repeat(200_000)];
  expect(await read("text", large)).toEqual(large);
  const many = Array.from({ length: 20_000 }, (_, i) => i);
  expect(await read("int", many)).toEqual(many);
});

it("refuses what its type cannot hold, instead of storing something else", () => {
  const id = "0192f0c1-0000-7000-8000-000000000001";
  for (const wrong of [
    "",
    id.slice(1),
    `${id}0`,
    id.replaceAll("-", "0"),
    `g${id.slice(1)}`,
    `\u0130${id.slice(1)}`,
  ])
    expect(() => arrayParameter("uuid", [wrong]), wrong).toThrow(TypeError);
  expect(() => arrayParameter("int", [2 ** 31])).toThrow(RangeError);
  expect(() => arrayParameter("smallint", [40_000])).toThrow(RangeError);
  expect(() => arrayParameter("tid", ["(4294967296,1)"])).toThrow(RangeError);
  for (const wrong of ["", "(1)", "(x,1)", "(1,-1)"])
    expect(() => arrayParameter("tid", [wrong]), wrong).toThrow(TypeError);
  expect(() => arrayParameter("timestamptz", [new Date("never")])).toThrow(RangeError);
});

it("is read as values that come many times in a row, each as often as it came", async () => {
  const run = fc.tuple(
    fc.option(fc.string({ unit: "grapheme", maxLength: 60 })),
    fc.integer({ min: 1, max: 3000 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(run, { maxLength: 8 }), async (runs) => {
      const values = runs.flatMap(([text, times]) =>
        Array<string | null>(times).fill(text?.replaceAll("\0", "") ?? null),
      );
      expect(await read("text", values)).toEqual(values);
    }),
    { numRuns: 20 },
  );
  const ids = ["a", "b", "a"].flatMap((digit) =>
    Array<string>(700).fill(`${digit.repeat(8)}-0000-7000-8000-000000000000`),
  );
  expect(await read("uuid", ids)).toEqual(ids);
  const numbers = [...Array<number>(5).fill(1), 0, 0, 2];
  expect(await read("smallint", numbers)).toEqual(numbers);
});

it("has room for what comes more often than it ever did", () => {
  const text = "y".repeat(100);
  const array = arrayParameter("text", Array<string>(100_000).fill(text));
  const elements = array.subarray(20);
  expect(elements.length).toBe(100_000 * 104);
  const one = Buffer.concat([Buffer.from([0, 0, 0, 100]), Buffer.from(text)]);
  expect(elements.equals(Buffer.alloc(elements.length, one))).toBe(true);
});
