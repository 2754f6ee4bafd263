import { createPublicKey, randomBytes, sign, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { asymmetricKey, newAsymmetricKeyPair } from "./asymmetric-key.ts";

// Of the tests of Standard Webhooks.
const PRIVATE =
  "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
const PUBLIC = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";

describe("an ed25519 key pair", () => {
  it("is written as Standard Webhooks writes it", () => {
    const seed = Buffer.from(PRIVATE.slice(5), "base64").subarray(0, 32);
    expect(newAsymmetricKeyPair(() => seed)).toEqual({ privateKey: PRIVATE, publicKey: PUBLIC });
  });

  it("signs what its public half verifies", () => {
    const { privateKey, publicKey } = newAsymmetricKeyPair(randomBytes);
    const x = Buffer.from(publicKey.slice(5), "base64").toString("base64url");
    const verifier = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const content = Buffer.from("dlv_1.1.{}");
    const signature = sign(null, content, asymmetricKey(privateKey));
    expect(verify(null, content, verifier, signature)).toBe(true);
    expect(verify(null, Buffer.from("dlv_1.2.{}"), verifier, signature)).toBe(false);
  });

  it.each([
    "",
    "whsk_",
    PUBLIC,
    PRIVATE.replace("whsk_", "whsec_"),
    `whsk_${Buffer.alloc(32, 1).toString("base64")}`,
    // The public half of another.
    `whsk_${Buffer.alloc(64, 1).toString("base64")}`,
  ])("is refused when it is malformed, without being repeated: %.12s", (text) => {
    expect(() => asymmetricKey(text)).toThrow(/^An ed25519 key is whsk_ and the base64 of its seed/);
  });
});
