import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashPortalToken, isPortalToken, newPortalToken } from "./portal-token.ts";

describe("tokens of the portal", () => {
  it("are a secret of 256 bits and a checksum, kept by their SHA-256", () => {
    const { token, hash } = newPortalToken(randomInt);
    expect(token).toMatch(/^posthorn_portal_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
    expect(62n ** 43n > 2n ** 256n).toBe(true);
    expect(isPortalToken(token)).toBe(true);
    expect(hash).toHaveLength(32);
    expect(hashPortalToken(token)).toEqual(hash);
    expect(newPortalToken(randomInt).token).not.toBe(token);
  });

  it("are refused after the change of any one character, before anything is looked up", () => {
    const { token } = newPortalToken(randomInt);
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === "x" ? "y" : "x";
      expect(hashPortalToken(token.slice(0, at) + other + token.slice(at + 1)), `${at}`).toBeUndefined();
    }
  });

  it.each(["", "posthorn_portal_", `posthorn_portal_${"a".repeat(49)}`, "ph_live_a_b"])(
    "are not %j",
    (text) => {
      expect(hashPortalToken(text)).toBeUndefined();
    },
  );
});
