import { describe, expect, it } from "vitest";
import { verify } from "./index.ts";
import { hmacHex, SECRET, signedDelivery } from "./testing-delivery.ts";
import { GITHUB_VECTOR, RAW_BODY_HEX, STANDARD_WEBHOOKS_VECTORS } from "./testing-vectors.ts";
import { check, NOW, verdict } from "./testing-verdict.ts";

const delivery = signedDelivery({ timestamp: NOW });
const body = delivery.body;

describe("the published vectors", () => {
  it("verifies GitHub's vector as hex and with the sha256 prefix", () => {
    const github = { body: Buffer.from(GITHUB_VECTOR.body), secrets: GITHUB_VECTOR.secret };
    expect(verify({ ...github, headers: { "x-signature": GITHUB_VECTOR.hex } }).schemes).toEqual(["hex"]);
    expect(verify({ ...github, headers: { "x-signature": `sha256=${GITHUB_VECTOR.hex}` } }).schemes).toEqual([
      "sha256",
    ]);
  });

  it.each(STANDARD_WEBHOOKS_VECTORS)(
    "verifies the Standard Webhooks vector $id, with or without whsec_",
    (vector) => {
      const request = {
        body: Buffer.from(vector.body),
        headers: {
          "webhook-id": vector.id,
          "webhook-timestamp": String(vector.timestamp),
          "webhook-signature": vector.signature,
        },
        now: new Date(vector.timestamp * 1000),
      };
      const expected = {
        schemes: ["standard-webhooks"],
        keyId: null,
        signedAt: new Date(vector.timestamp * 1000),
        deliveryId: vector.id,
      };
      expect(verify({ ...request, secrets: vector.secret })).toEqual(expected);
      expect(verify({ ...request, secrets: vector.secret.replace("whsec_", "") })).toEqual(expected);
    },
  );

  it("takes the secret as displayed, not its decoded bytes, as the key of X-Signature", () => {
    const vector = STANDARD_WEBHOOKS_VECTORS[0];
    const request = (signature: string) => ({
      body: Buffer.from(vector.body),
      headers: { "x-signature": signature },
    });
    expect(verdict(request(RAW_BODY_HEX.secretAsDisplayed), { secrets: vector.secret })).toBe("verified");
    expect(verdict(request(RAW_BODY_HEX.decodedKey), { secrets: vector.secret })).toBe("wrong_signature");
  });
});

describe("the body", () => {
  const signedBytes = (bytes: Uint8Array) => signedDelivery({ timestamp: NOW, body: bytes });

  it("verifies an empty one", () => {
    expect(verdict(signedBytes(new Uint8Array()))).toBe("verified");
  });

  it("verifies a byte order mark and invalid UTF-8 as the bytes they are", () => {
    expect(verdict(signedBytes(Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])))).toBe("verified");
    expect(verdict(signedBytes(Buffer.from([0xff, 0xfe, 0x00, 0x80])))).toBe("verified");
    const replaced = Buffer.from(Buffer.from([0xff]).toString("utf8"));
    expect(verdict({ ...signedBytes(Buffer.from([0xff])), body: replaced })).toBe("wrong_signature");
  });

  it("refuses one with a single bit turned", () => {
    const turned = Uint8Array.from(body, (byte, index) => (index === 5 ? byte ^ 1 : byte));
    expect(verdict({ ...delivery, body: turned })).toBe("wrong_signature");
  });

  it("throws a TypeError for text or a parsed object", () => {
    const wrong = (value: unknown) => () => check({ ...delivery, body: value as Uint8Array });
    expect(wrong("{}")).toThrow(TypeError);
    expect(wrong({})).toThrow(TypeError);
  });
});

describe("the headers", () => {
  it("are read from Headers, from Node's object and from any spelling of the names", () => {
    expect(verdict(delivery, { headers: new Headers(delivery.headers) })).toBe("verified");
    const spelled = Object.entries(delivery.headers).map(([name, value]) => [name.toUpperCase(), value]);
    expect(verdict({ ...delivery, headers: Object.fromEntries(spelled) })).toBe("verified");
  });

  it("are refused when a signature comes twice", () => {
    const twice = { ...delivery.headers, "x-signature": [hmacHex(SECRET, body), hmacHex(SECRET, body)] };
    expect(verdict(delivery, { headers: twice })).toBe("malformed_signature");
  });
});
