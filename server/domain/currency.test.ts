import { expect, it } from "vitest";
import { minorDigits } from "./currency.ts";

it.each([
  ["EUR", 2],
  ["JPY", 0],
  ["KWD", 3],
  ["CLF", 4],
  ["AFN", 2],
  ["UGX", 0],
])("knows that %s has %i decimals", (code, digits) => {
  expect(minorDigits(code)).toBe(digits);
});

it.each(["XXX", "ZZZ", "DEM", "eur", "EU", "", "__proto__"])("knows no currency %j", (code) => {
  expect(minorDigits(code)).toBeUndefined();
});
