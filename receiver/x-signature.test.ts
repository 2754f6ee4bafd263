import { describe, expect, it } from "vitest";
import { bare, hmacHex, OTHER_SECRET, SECRET, signedDelivery, withHeaders } from "./testing-delivery.ts";
import { check, NOW, verdict } from "./testing-verdict.ts";

const delivery = signedDelivery({ timestamp: NOW });
const body = delivery.body;

describe("X-Signature", () => {
  const plain = bare(delivery);
  const signedAs = (signature: string) => withHeaders(plain, { "x-signature": signature });
  const timestamped = (at: number, kid = "v1", secret = SECRET) =>
    signedAs(`t=${at},kid=${kid},v1=${hmacHex(secret, Buffer.concat([Buffer.from(`${at}.`), body]))}`);

  it("verifies each format", () => {
    const hex = hmacHex(SECRET, body);
    expect(check(signedAs(hex))).toEqual({ schemes: ["hex"], keyId: "v1", signedAt: null, deliveryId: null });
    expect(check(signedAs(hex.toUpperCase())).schemes).toEqual(["hex"]);
    expect(check(signedAs(`sha256=${hex}`)).schemes).toEqual(["sha256"]);
    expect(check(timestamped(NOW))).toEqual({
      schemes: ["timestamped"],
      keyId: "v1",
      signedAt: new Date(NOW * 1000),
      deliveryId: null,
    });
  });

  it.each([
    ["a missing signature", undefined, "missing_signature"],
    ["an empty one", "", "malformed_signature"],
    ["one digit too few", hmacHex(SECRET, body).slice(1), "malformed_signature"],
    ["one digit too many", `${hmacHex(SECRET, body)}0`, "malformed_signature"],
    [
      "a right start and then no hex",
      `${hmacHex(SECRET, body).slice(0, 32)}${"z".repeat(32)}`,
      "malformed_signature",
    ],
    ["no hex at all", "z".repeat(64), "malformed_signature"],
    ["another prefix", `sha512=${hmacHex(SECRET, body)}`, "malformed_signature"],
    ["two fields joined", `${hmacHex(SECRET, body)}, ${hmacHex(SECRET, body)}`, "malformed_signature"],
    ["another body's", hmacHex(SECRET, "{}"), "wrong_signature"],
    ["another secret's", hmacHex(OTHER_SECRET, body), "wrong_signature"],
    ["a timestamped one without a time", `v1=${hmacHex(SECRET, body)}`, "malformed_signature"],
    ["a time that is no number", `t=1e9,v1=${hmacHex(SECRET, body)}`, "malformed_signature"],
    ["two times", `t=1,t=${NOW},v1=${hmacHex(SECRET, body)}`, "malformed_signature"],
    ["a timestamped one without a digest", `t=${NOW},kid=v1`, "malformed_signature"],
    ["a digest of the body without the time", `t=${NOW},v1=${hmacHex(SECRET, body)}`, "wrong_signature"],
  ])("refuses %s", (_, signature, reason) => {
    expect(verdict(withHeaders(plain, { "x-signature": signature }))).toBe(reason);
  });

  it("accepts any right one of several digests and skips other versions", () => {
    const right = timestamped(NOW).headers["x-signature"]?.split("v1=")[1];
    const list = `t=${NOW},v0=junk,v1=${"0".repeat(64)},v1=short,v1=${right},v1a=x`;
    expect(verdict(signedAs(list))).toBe("verified");
  });

  it("accepts a signed time of exactly 5 minutes either way, and no second more", () => {
    expect(verdict(timestamped(NOW - 300))).toBe("verified");
    expect(verdict(timestamped(NOW + 300))).toBe("verified");
    expect(verdict(timestamped(NOW - 301))).toBe("stale_timestamp");
    expect(verdict(timestamped(NOW + 301))).toBe("future_timestamp");
    expect(verdict(timestamped(NOW - 301), { toleranceSeconds: 301 })).toBe("verified");
  });

  it("calls a stale request with a wrong signature wrong, not stale", () => {
    expect(verdict(timestamped(NOW - 301, "v1", OTHER_SECRET))).toBe("wrong_signature");
  });

  it("holds X-Signature-Timestamp to the tolerance although nothing signs it", () => {
    expect(verdict(withHeaders(plain, { "x-signature-timestamp": String(NOW) }))).toBe("verified");
    expect(verdict(withHeaders(plain, { "x-signature-timestamp": String(NOW - 301) }))).toBe(
      "stale_timestamp",
    );
    expect(verdict(withHeaders(plain, { "x-signature-timestamp": "now" }))).toBe("malformed_signature");
  });

  it("refuses a request that no verified time covers when told to", () => {
    const strict = { requireSignedTimestamp: true };
    const unsigned = withHeaders(plain, { "x-signature-timestamp": String(NOW) });
    expect(verdict(unsigned, strict)).toBe("unsigned_timestamp");
    expect(verdict(timestamped(NOW), strict)).toBe("verified");
    expect(verdict(delivery, strict)).toBe("verified");
  });
});
