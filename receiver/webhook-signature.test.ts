import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { hmacHex, SECRET, signedDelivery, standardSignature, withHeaders } from "./testing-delivery.ts";
import { V1A_SIGNATURE } from "./testing-vectors.ts";
import { check, NOW, verdict } from "./testing-verdict.ts";

const delivery = signedDelivery({ timestamp: NOW });
const body = delivery.body;

describe("webhook-signature", () => {
  const standard = withHeaders(delivery, { "x-signature": undefined, "x-signature-key-id": undefined });
  const good = standardSignature(SECRET, "dlv_01", NOW, body);
  const listed = (list: string) => withHeaders(standard, { "webhook-signature": list });

  it("suffices alone", () => {
    expect(check(standard).schemes).toEqual(["standard-webhooks"]);
  });

  it("finds the good v1 among a bad one, other versions and junk", () => {
    expect(verdict(listed(`v1,${"A".repeat(43)}= v2,x ${V1A_SIGNATURE} ${good} v1,zzz`))).toBe("verified");
  });

  it.each([
    ["nothing but the version", "v1,"],
    ["the version without a comma", "v1"],
    ["a truncated signature", good.slice(0, -5)],
    ["one without padding", good.slice(0, -1)],
    ["a v1 under another name", good.replace("v1,", "v2,")],
    ["a prefix of a version", good.replace("v1,", "v1a,")],
    ["an empty list", ""],
    ["text outside of ASCII", `v1,${"é".repeat(22)}`],
  ])("refuses %s", (_, list) => {
    expect(verdict(listed(list))).toBe("wrong_signature");
  });

  it("is judged as the standardwebhooks package judges it, whatever the list holds", () => {
    const text = '{"n":1}';
    const bytes = Buffer.from(text);
    // The package reads the clock itself.
    const at = new Date();
    const timestamp = Math.floor(at.getTime() / 1000);
    const theirs = new Webhook(SECRET);
    const right = theirs.sign("dlv_01", at, text);
    const entry = fc.oneof(
      fc.constantFrom(
        right,
        `${right}=`,
        right.slice(0, -1),
        right.replace("v1", "v2"),
        "v1,",
        "v1",
        "",
        "v1,é",
      ),
      fc.string({ maxLength: 60 }).map((junk) => `v1,${junk}`),
    );
    const property = fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), (entries) => {
      const request = withHeaders(signedDelivery({ timestamp, body: bytes }), {
        "x-signature": undefined,
        "webhook-signature": entries.join(" "),
      });
      const accepted = (judge: () => unknown) => {
        try {
          judge();
          return true;
        } catch {
          return false;
        }
      };
      expect(accepted(() => check(request, { now: at }))).toBe(
        accepted(() => theirs.verify(text, request.headers)),
      );
    });
    fc.assert(property, { numRuns: 200 });
  });

  it.each(["webhook-id", "webhook-timestamp"])("refuses a request without %s", (name) => {
    expect(verdict(withHeaders(standard, { [name]: undefined }))).toBe("malformed_signature");
    expect(verdict(withHeaders(delivery, { [name]: undefined }))).toBe("malformed_signature");
  });

  it("refuses a request without webhook-signature and without X-Signature", () => {
    expect(verdict(withHeaders(standard, { "webhook-signature": undefined }))).toBe("missing_signature");
  });

  it.each(["", "abc", "1e9", "-1", "1.5", "9".repeat(12)])("refuses the timestamp %j", (timestamp) => {
    expect(verdict(withHeaders(standard, { "webhook-timestamp": timestamp }))).toBe("malformed_signature");
  });

  it("refuses an id that could shift the border between the signed parts", () => {
    const signature = standardSignature(SECRET, "dlv_01.5", NOW, body);
    const shifted = withHeaders(standard, { "webhook-id": "dlv_01.5", "webhook-signature": signature });
    expect(verdict(withHeaders(shifted, { "x-delivery": "dlv_01.5" }))).toBe("malformed_signature");
  });

  it("holds its timestamp to 5 minutes either way", () => {
    const at = (timestamp: number) => signedDelivery({ timestamp });
    expect(verdict(at(NOW - 300))).toBe("verified");
    expect(verdict(at(NOW + 300))).toBe("verified");
    expect(verdict(at(NOW - 301))).toBe("stale_timestamp");
    expect(verdict(at(NOW + 301))).toBe("future_timestamp");
  });

  it("is checked besides a right X-Signature: the time and the delivery id cannot be exchanged", () => {
    const tooLate = { now: new Date((NOW + 3600) * 1000) };
    const fresh = { "webhook-timestamp": String(NOW + 3600), "x-signature-timestamp": String(NOW + 3600) };
    expect(verdict(withHeaders(delivery, fresh), tooLate)).toBe("wrong_signature");
    expect(verdict(withHeaders(delivery, { "webhook-id": "dlv_02", "x-delivery": "dlv_02" }))).toBe(
      "wrong_signature",
    );
    expect(verdict(withHeaders(delivery, { "x-delivery": "dlv_02" }))).toBe("delivery_id_mismatch");
  });

  it("does not make up for a wrong X-Signature", () => {
    expect(verdict(withHeaders(delivery, { "x-signature": "0".repeat(64) }))).toBe("wrong_signature");
    expect(verdict(withHeaders(delivery, { "x-signature": "junk" }))).toBe("malformed_signature");
  });

  it.each([
    "correct horse battery staple and many more words",
    "c2hvcnQ=",
    Buffer.alloc(65).toString("base64"),
  ])(
    "is left aside beside a right X-Signature when the secret, %j, can be no Standard Webhooks key",
    (secret) => {
      const headers = { "x-signature": hmacHex(secret, body) };
      expect(check(withHeaders(delivery, headers), { secrets: { v1: secret } }).schemes).toEqual(["hex"]);
      expect(verdict(standard, { secrets: secret })).toBe("unknown_key");
    },
  );
});
