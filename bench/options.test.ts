import { expect, it } from "vitest";
import { estimate, readOptions, UsageError } from "./options.ts";

const namesOf = (...args: string[]) => {
  const options = readOptions(args);
  if (typeof options === "string") throw new Error(options);
  return options.sections.map(([name]) => name);
};

it("runs every section unless some are named", () => {
  expect(namesOf()).toEqual(expect.arrayContaining(["drain", "lists"]));
  expect(namesOf("--only", "lists, drain")).toEqual(["lists", "drain"]);
});

it.each([
  [["--only", "nothing"], 'There is no section "nothing". There are drain,'],
  [["--only", "toString"], 'There is no section "toString"'],
  [["--quick", "--full"], "exclude each other"],
  [["--body", "many"], 'not "many"'],
  [["--body", "1e3"], 'not "1e3"'],
  [["--deep"], "--deep"],
  [["drain"], "drain"],
])("says what is wrong with %j", (args, message) => {
  expect(() => readOptions(args)).toThrow(UsageError);
  expect(() => readOptions(args)).toThrow(message);
});

it("prints its help and its sections", () => {
  expect(readOptions(["--help"])).toContain("--full");
  expect(readOptions(["--list"])).toMatch(/^drain +\S/);
});

it("says how long a run takes", () => {
  const options = readOptions(["--only", "lists,storage", "--full"]);
  if (typeof options === "string") throw new Error(options);
  expect(estimate(options)).toMatch(/^about \d+ min .* [\d,]+ MiB/);
});
