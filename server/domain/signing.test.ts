import { createSecretKey, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verify } from "#receiver/index.ts";
import { GITHUB_VECTOR, RAW_BODY_HEX, STANDARD_WEBHOOKS_VECTORS } from "#receiver/testing-vectors.ts";
import { asymmetricKey } from "./asymmetric-key.ts";
import { deliveryHeaders, isSecret, newSecret, signDelivery, signingKey, xSignature } from "./signing.ts";

/** For the id, time and body of the first of the vectors. */
const ED25519_VECTOR = {
  privateKey: "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==",
  signature: "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==",
};

const encode = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString("base64")}`;
const secretText = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(encode);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }),
  fc.json().map((text) => Buffer.from(text)),
);
const format = fc.constantFrom("hex" as const, "sha256" as const, "timestamped" as const);

describe("xSignature", () => {
  it("makes GitHub's vector, bare and with its prefix", () => {
    const parts = {
      key: createSecretKey(Buffer.from(GITHUB_VECTOR.secret)),
      kid: "v1",
      timestamp: 1,
      body: Buffer.from(GITHUB_VECTOR.body),
    };
    expect(xSignature({ ...parts, format: "hex" })).toBe(GITHUB_VECTOR.hex);
    expect(xSignature({ ...parts, format: "sha256" })).toBe(`sha256=${GITHUB_VECTOR.hex}`);
  });
});

describe("signDelivery", () => {
  const vector = STANDARD_WEBHOOKS_VECTORS[0];
  const first = signingKey({ kid: "v1", value: vector.secret });
  const second = signingKey({ kid: "v2", value: STANDARD_WEBHOOKS_VECTORS[1].secret });
  const delivery = { deliveryId: vector.id, timestamp: vector.timestamp, body: Buffer.from(vector.body) };

  it.each(STANDARD_WEBHOOKS_VECTORS)(
    "makes the Standard Webhooks vector $id",
    ({ secret, id, timestamp, body, signature }) => {
      const keys = [signingKey({ kid: "v1", value: secret })] as const;
      const signed = signDelivery({
        format: "hex",
        keys,
        deliveryId: id,
        timestamp,
        body: Buffer.from(body),
      });
      expect(signed.webhookSignature).toBe(signature);
    },
  );

  it("takes the secret as displayed, prefix and all, as the key of X-Signature", () => {
    const signed = signDelivery({ format: "hex", keys: [first], ...delivery });
    expect(signed.signature).toBe(RAW_BODY_HEX.secretAsDisplayed);
    expect(signed.keyId).toBe("v1");
  });

  it("names time and key in the timestamped form", () => {
    const signed = signDelivery({ format: "timestamped", keys: [first], ...delivery });
    expect(signed.signature).toMatch(/^t=1614265330,kid=v1,v1=[0-9a-f]{64}$/);
  });

  it("signs X-Signature with the first key, and webhook-signature with each in turn", () => {
    const signed = signDelivery({ format: "sha256", keys: [second, first], ...delivery });
    const alone = (key: typeof first) => signDelivery({ format: "sha256", keys: [key], ...delivery });
    expect(signed).toEqual({
      signature: alone(second).signature,
      keyId: "v2",
      webhookSignature: `${alone(second).webhookSignature} ${alone(first).webhookSignature}`,
    });
  });

  it("adds the Standard Webhooks vector of v1a where there is an ed25519 key, and nothing else", () => {
    const asymmetric = asymmetricKey(ED25519_VECTOR.privateKey);
    const alone = signDelivery({ format: "hex", keys: [second, first], ...delivery });
    expect(signDelivery({ format: "hex", keys: [second, first], asymmetric, ...delivery })).toEqual({
      ...alone,
      webhookSignature: `${alone.webhookSignature} ${ED25519_VECTOR.signature}`,
    });
  });

  it("is verified by the receiver library, in every format, under each valid key and no other", () => {
    const property = fc.property(secretText, secretText, format, body, (current, old, chosen, bytes) => {
      fc.pre(current !== old);
      const timestamp = 1_700_000_000;
      const keys = [
        signingKey({ kid: "v2", value: current }),
        signingKey({ kid: "v1", value: old }),
      ] as const;
      const signed = signDelivery({ format: chosen, keys, deliveryId: "dlv_1", timestamp, body: bytes });
      const headers = headersOf(signed, "dlv_1", timestamp);
      const verifyWith = (secrets: Record<string, string>, changed: Uint8Array = bytes) =>
        verify({ secrets, headers, body: changed, now: new Date(timestamp * 1000) });

      expect(verifyWith({ v2: current })).toMatchObject({
        schemes: [chosen, "standard-webhooks"],
        keyId: "v2",
      });
      expect(verifyWith({ v1: old })).toMatchObject({ schemes: ["standard-webhooks"], keyId: "v1" });
      expect(() => verifyWith({ v2: old })).toThrow();
      expect(() => verifyWith({ v2: current }, Buffer.concat([bytes, Buffer.from(" ")]))).toThrow();
    });
    fc.assert(property, { numRuns: 50 });
  });

  it("is verified by the standardwebhooks package under each valid key", () => {
    const property = fc.property(secretText, secretText, fc.json(), (current, old, text) => {
      // The package reads the clock itself.
      const timestamp = Math.floor(Date.now() / 1000);
      const keys = [
        signingKey({ kid: "v2", value: current }),
        signingKey({ kid: "v1", value: old }),
      ] as const;
      const signed = signDelivery({
        format: "hex",
        keys,
        deliveryId: "dlv_1",
        timestamp,
        body: Buffer.from(text),
      });
      const headers = headersOf(signed, "dlv_1", timestamp);
      for (const secret of [current, old]) {
        expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text));
      }
      expect(() => new Webhook(current).verify(`${text} `, headers)).toThrow();
    });
    fc.assert(property, { numRuns: 50 });
  });
});

describe("deliveryHeaders", () => {
  it("lists every header of a delivery in order", () => {
    const values = {
      version: "1.2.3",
      deliveryId: "dlv_1",
      eventType: "PaymentCaptured",
      attempt: 3,
      timestamp: 1_700_000_000,
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      signature: "s",
      keyId: "v2",
      webhookSignature: "v1,a v1,b",
    };
    expect(Object.entries(deliveryHeaders(values))).toEqual([
      ["Content-Type", "application/json"],
      ["User-Agent", "Posthorn/1.2.3"],
      ["Accept-Encoding", "identity"],
      ["X-Delivery", "dlv_1"],
      ["X-Event", "PaymentCaptured"],
      ["X-Attempt", "3"],
      ["X-Signature", "s"],
      ["X-Signature-Key-Id", "v2"],
      ["X-Signature-Timestamp", "1700000000"],
      ["webhook-id", "dlv_1"],
      ["webhook-timestamp", "1700000000"],
      ["webhook-signature", "v1,a v1,b"],
      ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    ]);
  });
});

describe("secrets", () => {
  it("are made of 32 random bytes", () => {
    expect(newSecret((size) => new Uint8Array(size).fill(7))).toBe(encode(new Uint8Array(32).fill(7)));
    expect(isSecret(newSecret(randomBytes))).toBe(true);
  });

  it("are whsec_ and the base64 of 24 to 64 bytes", () => {
    fc.assert(fc.property(secretText, (text) => isSecret(text)));
    expect(isSecret(encode(new Uint8Array(23)))).toBe(false);
    expect(isSecret(encode(new Uint8Array(65)))).toBe(false);
  });

  it.each([
    ["nothing", ""],
    ["the bare prefix", "whsec_"],
    ["no prefix", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    ["another prefix", "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    ["missing padding", `whsec_${"A".repeat(43)}`],
    ["superfluous padding", `whsec_${"A".repeat(44)}=`],
    ["bits beyond the last byte", `whsec_${"A".repeat(42)}B=`],
    ["the URL alphabet", `whsec_${"-_".repeat(16)}`],
    ["a space within", `whsec_${"A".repeat(16)} ${"A".repeat(16)}`],
    ["a line break at the end", `whsec_${"A".repeat(32)}\n`],
    ["letters outside of ASCII", `whsec_${"é".repeat(32)}`],
    ["a megabyte", `whsec_${"A".repeat(1_000_000)}`],
  ])("are not %s", (_, text) => {
    expect(isSecret(text)).toBe(false);
    expect(() => signingKey({ kid: "v1", value: text })).toThrow(TypeError);
  });

  it("stay out of errors and of printed keys", () => {
    const decodable = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    const key = signingKey({ kid: "v1", value: encode(decodable) });
    const printed = inspect(key, { depth: null, showHidden: true }) + JSON.stringify(key);
    expect(printed).not.toContain("MfKQ9r8G");
    expect(printed).not.toContain(inspect(decodable).slice(8, 30));
    expect(() => signingKey({ kid: "v1", value: "whsec_topsecret" })).toThrow(/^(?!.*topsecret)/);
  });

  it.each(["", "v1\r\nx: y", "a,b", "a.b", "x".repeat(65)])("refuse the key id %j", (kid) => {
    expect(() => signingKey({ kid, value: STANDARD_WEBHOOKS_VECTORS[0].secret })).toThrow(TypeError);
  });
});

function headersOf(signed: ReturnType<typeof signDelivery>, deliveryId: string, timestamp: number) {
  return deliveryHeaders({
    ...signed,
    version: "0",
    deliveryId,
    eventType: "Ping",
    attempt: 1,
    timestamp,
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  });
}
