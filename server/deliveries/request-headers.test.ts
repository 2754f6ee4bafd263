import { generateKeyPairSync, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { newSecret, type SignatureFormat, signDelivery, signingKey } from "../domain/signing.ts";
import { sentText } from "./request-headers.ts";

const key = (kid: string) => signingKey({ kid, value: newSecret(randomBytes) });

it.each<SignatureFormat>(["hex", "sha256", "timestamped"])(
  "keeps what was sent, signed as %s, as JSON",
  (format) => {
    const signatures = signDelivery({
      format,
      keys: [key("k-1_A"), key("before")],
      asymmetric: generateKeyPairSync("ed25519").privateKey,
      deliveryId: "dlv_1",
      timestamp: 1_700_000_000,
      body: Buffer.from("{}"),
    });
    const traceparent = "00-0198f0a0b0c07d0e8f00010203040506-00000000000000a1-01";
    const parts = { ...signatures, version: "1.2.3-rc.1", timestamp: 1_700_000_000, traceparent };
    expect(JSON.parse(sentText(parts))).toEqual(parts);
    const withCustom = { ...parts, custom: ["X-A", "!#$%&'*+.^_`|~"] };
    expect(JSON.parse(sentText(withCustom))).toEqual(withCustom);
  },
);
