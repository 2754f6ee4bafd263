import { describe, expect, it } from "vitest";
import { phasesOf } from "./timings.ts";

describe("phasesOf", () => {
  it("names each phase, and what is left as the rest", () => {
    const phases = phasesOf({ dns: 2, connect: 3, tls: 10, first_byte: 20, total: 36 });

    expect(phases.map(({ name, ms }) => [name, ms])).toEqual([
      ["dns", 2],
      ["connect", 3],
      ["tls", 10],
      ["first_byte", 20],
      ["rest", 1],
    ]);
  });

  it("leaves out what a reused connection skipped", () => {
    const phases = phasesOf({ dns: null, connect: null, tls: null, first_byte: 20, total: 20 });

    expect(phases.map(({ name }) => name)).toEqual(["first_byte"]);
  });

  it("shows the whole time when nothing came", () => {
    expect(phasesOf({ dns: null, connect: null, tls: null, first_byte: null, total: 15_000 })).toEqual([
      { name: "rest", label: "Waiting", ms: 15_000 },
    ]);
  });
});
