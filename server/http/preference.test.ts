import { describe, expect, it } from "vitest";
import { cpuMsOf } from "#tests/cpu-time.ts";
import { preferredReturn } from "./preference.ts";

describe("the return preference", () => {
  it.each([
    ["return=minimal", "minimal"],
    ["return=representation", "representation"],
    ["Return = Minimal", "minimal"],
    ['return="minimal"', "minimal"],
    ["return=minimal; foo=bar", "minimal"],
    ['respond-async, wait=10, foo="a, return=representation", return=minimal', "minimal"],
    ['foo="a\\", return=representation", return=minimal', "minimal"],
    ["handling=lenient; return=representation, return=minimal", "minimal"],
    ["return=minimal, return=minimal", "minimal"],
    [",,return=representation,", "representation"],
  ])("of %s is %s", (header, wanted) => {
    expect(preferredReturn(header)).toBe(wanted);
  });

  it.each([
    undefined,
    "",
    "return",
    "return=",
    "return=all",
    "return=minimal x",
    "returns=minimal",
    "x return=minimal",
    'return="minimal',
    'foo="a, return=minimal',
    "return=minimal, return=representation",
  ])("is not in %j", (header) => {
    expect(preferredReturn(header)).toBeUndefined();
  });

  it("is read from a hostile header in no time", () => {
    const ms = cpuMsOf(() => {
      preferredReturn(`${'"\\'.repeat(8_000)}${" ".repeat(8_000)}`);
      preferredReturn('"",'.repeat(8_000));
    });
    expect(ms).toBeLessThan(100);
  });
});
