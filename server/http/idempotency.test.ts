import { expect, it } from "vitest";
import { parseIdempotencyKey } from "./idempotency.ts";

it("takes a key bare or quoted, as the same key", () => {
  const key = "8e03978e-40d5-43e8-bc93-6894a57f9324";
  expect([key, `"${key}"`, ` ${key} `].map(parseIdempotencyKey)).toEqual([key, key, key]);
  expect(parseIdempotencyKey("x".repeat(255))).toHaveLength(255);
  expect(parseIdempotencyKey(`"${"x".repeat(255)}"`)).toHaveLength(255);
  expect([String.raw`a\b"c`, String.raw`"a\\b\"c"`].map(parseIdempotencyKey)).toEqual([
    String.raw`a\b"c`,
    String.raw`a\b"c`,
  ]);
  expect(parseIdempotencyKey(undefined)).toBeUndefined();
});

it.each([
  "",
  '""',
  '"',
  '"open',
  String.raw`"a\b"`,
  String.raw`"a\"`,
  "two words",
  "one, two",
  "é",
  "x".repeat(256),
  `"${"x".repeat(256)}"`,
  "a\tb",
])("refuses %j", (header) => {
  expect(() => parseIdempotencyKey(header)).toThrow("1 to 255 visible ASCII characters");
});
