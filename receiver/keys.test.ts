import { describe, expect, it } from "vitest";
import {
  bare,
  hmacHex,
  OTHER_SECRET,
  SECRET,
  signedDelivery,
  standardSignature,
  withHeaders,
} from "./testing-delivery.ts";
import { check, NOW, verdict } from "./testing-verdict.ts";

const delivery = signedDelivery({ timestamp: NOW });
const body = delivery.body;

describe("the choice of the secret", () => {
  const rotated = signedDelivery({ timestamp: NOW, secret: OTHER_SECRET, kid: "v2" });
  const rotatedPlain = withHeaders(bare(rotated), { "x-signature-key-id": "v2" });

  it("takes the one that X-Signature-Key-Id names, and no other", () => {
    const secrets = { v1: SECRET, v2: OTHER_SECRET };
    expect(check(rotated, { secrets }).keyId).toBe("v2");
    expect(check(delivery, { secrets }).keyId).toBe("v1");
    expect(verdict(withHeaders(rotatedPlain, { "x-signature-key-id": "v1" }), { secrets })).toBe(
      "wrong_signature",
    );
  });

  it("takes the id inside the timestamped form when the header is absent", () => {
    const digest = hmacHex(OTHER_SECRET, Buffer.concat([Buffer.from(`${NOW}.`), body]));
    const named = (kid: string) =>
      withHeaders(bare(delivery), { "x-signature": `t=${NOW},kid=${kid},v1=${digest}` });
    const secrets = { v1: SECRET, v2: OTHER_SECRET };
    expect(check(named("v2"), { secrets }).keyId).toBe("v2");
    expect(verdict(named("v1"), { secrets })).toBe("wrong_signature");
  });

  it("tries every one when no id is named", () => {
    expect(check(bare(rotated), { secrets: { v1: SECRET, v2: OTHER_SECRET } }).keyId).toBe("v2");
    expect(check(bare(rotated), { secrets: [SECRET, OTHER_SECRET] }).keyId).toBeNull();
  });

  it("tries secrets without an id whatever id is named", () => {
    expect(check(rotatedPlain, { secrets: [SECRET, OTHER_SECRET] }).keyId).toBeNull();
  });

  it("tries all secrets of one id, as of several senders on one path", () => {
    expect(check(delivery, { secrets: { v1: [OTHER_SECRET, SECRET] } }).keyId).toBe("v1");
    expect(check(delivery, { secrets: [{ v1: OTHER_SECRET }, { v1: SECRET }] }).keyId).toBe("v1");
  });

  it("refuses an unknown id", () => {
    expect(verdict(rotatedPlain)).toBe("unknown_key");
    expect(verdict(withHeaders(rotatedPlain, { "x-signature-key-id": "constructor" }))).toBe("unknown_key");
    expect(verdict(delivery, { secrets: {} })).toBe("unknown_key");
  });

  it("verifies with the old secret during an overlap, when X-Signature is made with one not yet known here", () => {
    const both = `${rotated.headers["webhook-signature"]} ${standardSignature(SECRET, "dlv_01", NOW, body)}`;
    const overlapping = withHeaders(rotated, { "webhook-signature": both });
    expect(check(overlapping)).toMatchObject({ schemes: ["standard-webhooks"], keyId: "v1" });
    expect(verdict(rotated)).toBe("wrong_signature");
  });

  it.each([
    ["an empty secret", ""],
    ["a bare whsec_", "whsec_"],
  ])("throws a TypeError for %s", (_, secret) => {
    expect(() => check(delivery, { secrets: secret })).toThrow(TypeError);
    expect(() => check(delivery, { secrets: { v1: secret } })).toThrow(TypeError);
  });
});
