import { describe, expect, it } from "vitest";
import { nextKeyId, secretStates } from "./endpoint-secrets.ts";

const now = new Date("2026-11-21T09:30:00.000Z");
const at = (ms: number) => new Date(now.getTime() + ms);
const key = (expiresAt: Date | null = null, revokedAt: Date | null = null) => ({ expiresAt, revokedAt });

describe("the states of keys", () => {
  it("make the newest valid one current and the other valid ones overlapping", () => {
    expect(secretStates([key(), key(at(1)), key(at(5_000))], now)).toEqual([
      "current",
      "overlapping",
      "overlapping",
    ]);
  });

  it("end a key at the very moment it expires", () => {
    expect(secretStates([key(), key(now), key(at(-1))], now)).toEqual(["current", "expired", "expired"]);
  });

  it("show a key as revoked whether or not it would have expired", () => {
    expect(secretStates([key(), key(at(1), at(-1)), key(at(-2), at(-1))], now)).toEqual([
      "current",
      "revoked",
      "revoked",
    ]);
  });
});

describe("the id of the next key", () => {
  it("counts on from the highest number there was", () => {
    expect(nextKeyId([])).toBe("v1");
    expect(nextKeyId(["v9", "v10", "v2"])).toBe("v11");
  });
});
