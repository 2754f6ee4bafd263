import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMsOf } from "#tests/cpu-time.ts";
import { checkVersion } from "../check-version.ts";
import { AppError } from "../errors.ts";
import { isUnchanged, parseIfMatch } from "./precondition.ts";

function outcome(header: string | undefined, isRequired: boolean, version = "7") {
  try {
    checkVersion(parseIfMatch(header, isRequired), version);
    return "passes";
  } catch (error) {
    return error instanceof AppError ? error.slug : error;
  }
}

describe("If-Match", () => {
  it.each([undefined, "", "*", "7", '"abc"', '"-1"', "'7'", '"7" x', '"7",', '"7', 'w/"7"', '"7.0"'])(
    "%j is no precondition where one is needed",
    (header) => {
      expect(outcome(header, true)).toBe("precondition-required");
    },
  );

  it.each(['"7"', ' "7" ', '"7","8"', '"8" , "7"', 'W/"8","7"'])("%j is met by version 7", (header) => {
    expect(outcome(header, true)).toBe("passes");
  });

  it.each(['W/"7"', '"8"', '"07"', '"99999999999999999999"', '"8","9"'])(
    "%j is stale at version 7",
    (header) => {
      expect(outcome(header, true)).toBe("precondition-failed");
    },
  );

  it("compares versions beyond 2^53 digit by digit, and tells the current one exactly", () => {
    expect(outcome('"9007199254740993"', true, "9007199254740993")).toBe("passes");
    expect(outcome('"9007199254740992"', true, "9007199254740993")).toBe("precondition-failed");
    try {
      checkVersion(["1"], "9007199254740993");
    } catch (error) {
      expect(JSON.stringify((error as AppError).members)).toBe('{"current_version":9007199254740993}');
    }
    expect.assertions(3);
  });

  it("is honoured where it is optional, and then `*` only asks for existence", () => {
    expect([undefined, "*", '"7"', '"8"', "7"].map((header) => outcome(header, false))).toEqual([
      "passes",
      "passes",
      "passes",
      "precondition-failed",
      "precondition-required",
    ]);
  });

  it("gives back the strong versions of any list of tags, in order and to the last digit", () => {
    const version = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
    const tags = fc.array(fc.tuple(version, fc.boolean()), { minLength: 1, maxLength: 20 });
    const gap = fc.stringMatching(/^[ \t]{0,2}$/);
    fc.assert(
      fc.property(tags, gap, gap, fc.boolean(), (list, before, after, isRequired) => {
        const header = list
          .map(([text, isWeak]) => `${isWeak ? "W/" : ""}"${text}"`)
          .join(`${before},${after}`);
        const strong = list.flatMap(([text, isWeak]) => (isWeak ? [] : [text]));
        expect(parseIfMatch(`${before}${header}${after}`, isRequired)).toEqual(strong);
      }),
    );
  });

  it("is refused in one way, whatever else it says", () => {
    const parts = fc.constantFrom('"', "1", "W/", ",", " ", "*", "a", '"1"', "-", "\\", "é");
    const text = fc.oneof(
      fc.string(),
      fc.array(parts).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(text, fc.boolean(), (header, isRequired) => {
        expect(["passes", "precondition-failed", "precondition-required"]).toContain(
          outcome(header, isRequired),
        );
        if (!/"\d+"/.test(header)) expect(outcome(header, true)).toBe("precondition-required");
      }),
      { numRuns: 1_000 },
    );
  });

  it("is read in linear time", () => {
    const ms = cpuMsOf(() => {
      outcome(`"1"${" ".repeat(50_000)}x`, true);
      outcome('"1",'.repeat(20_000), true);
    });
    expect(ms).toBeLessThan(500);
  });
});

describe("If-None-Match", () => {
  it.each(['"7"', 'W/"7"', '"1", "7"', "*", '"a,b","7"'])("%j names the tag", (header) => {
    expect(isUnchanged(header, '"7"')).toBe(true);
  });

  it.each([undefined, "", '"8"', "7", '"77"'])("%j does not name it", (header) => {
    expect(isUnchanged(header, '"7"')).toBe(false);
  });
});
