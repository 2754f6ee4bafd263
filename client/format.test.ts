import { describe, expect, it } from "vitest";
import { ago, byteSize, counted, longSpan, milliseconds, shortSpan, until, utcMoment } from "./format.ts";

describe("spans of time", () => {
  it.each([
    [0, "0 s", "0 ms"],
    [999, "0 s", "999 ms"],
    [12_300, "12 s", "12.3 s"],
    [65_000, "1 m", "1 m 05 s"],
    [3 * 3_600_000 + 12 * 60_000, "3 h", "3 h 12 m"],
    [47 * 3_600_000, "47 h", "1 d 23 h"],
    [52 * 3_600_000, "2 d", "2 d 4 h"],
  ])("%i ms is %s, or %s", (ms, short, long) => {
    expect(shortSpan(ms)).toBe(short);
    expect(longSpan(ms)).toBe(long);
  });

  it("never puts the past into the future when the clocks differ", () => {
    expect(ago(1_000, 400)).toBe("just now");
    expect(ago(0, 12_000)).toBe("12 s ago");
  });

  it("says now once the time has come", () => {
    expect(until(5_000, 5_000)).toBe("now");
    expect(until(5_001, 5_000)).toBe("in 1 s");
    expect(until(245_000, 0)).toBe("in 4 m");
  });
});

describe("numbers for people", () => {
  it.each([
    [0.42, "0.4 ms"],
    [12.4, "12 ms"],
    [1530, "1.53 s"],
  ])("%f ms is %s", (ms, text) => {
    expect(milliseconds(ms)).toBe(text);
  });

  it("counts with commas and one noun", () => {
    expect(counted(1, "attempt")).toBe("1 attempt");
    expect(counted(1204, "attempt")).toBe("1,204 attempts");
    expect(counted(2, "delivery", "deliveries")).toBe("2 deliveries");
  });

  it("measures text in bytes, not characters", () => {
    expect(byteSize("é")).toBe("2 B");
    expect(byteSize("x".repeat(1536))).toBe("1.5 KiB");
  });

  it("writes a moment to the millisecond", () => {
    expect(utcMoment("2026-11-21T09:30:00.123Z")).toBe("2026-11-21 09:30:00.123 UTC");
  });
});
