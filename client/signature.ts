import type { Attempt } from "#contracts/deliveries.ts";

/** What an attempt was signed with and over which bytes. */
export interface SignatureFacts {
  format: "hex" | "sha256" | "timestamped";
  /** `X-Signature` as it was sent. */
  value: string;
  keyId: string | null;
  /** Unix seconds, when it was signed. */
  timestamp: string | null;
  /** What precedes the raw body in the signed bytes. */
  prefix: string;
  /** The digest alone. */
  digest: string;
  /** `webhook-signature` of Standard Webhooks. */
  standard: { entries: string[]; prefix: string } | null;
}

/** Reads the signature headers of a request; `null` when it has none, as once its data was expunged. */
export function signatureOf({ headers }: Attempt["request"]): SignatureFacts | null {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const value = byName.get("x-signature");
  if (value === undefined) return null;
  const timestamp = byName.get("x-signature-timestamp") ?? null;
  const stamped = /^t=(\d+),kid=[^,]*,v1=([0-9a-f]+)$/.exec(value);
  const [id, at, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    byName.get(name),
  );
  return {
    ...{ value, timestamp, keyId: byName.get("x-signature-key-id") ?? null },
    format: stamped ? "timestamped" : value.startsWith("sha256=") ? "sha256" : "hex",
    prefix: stamped ? `${stamped[1]}.` : "",
    digest: stamped?.[2] ?? value.replace(/^sha256=/, ""),
    standard: id && at && signatures ? { entries: signatures.split(" "), prefix: `${id}.${at}.` } : null,
  };
}

export const LANGUAGES = ["Shell", "Node.js", "Python", "Go"] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * A program that verifies the signature: it takes the secret from `WEBHOOK_SECRET` and the raw body from `body.json`,
 * and says whether they belong together. What is filled in consists of digits, letters and dots alone.
 */
export function snippetOf(language: Language, { prefix, digest }: SignatureFacts): string {
  if (!/^[0-9a-f]*$/.test(digest) || !/^(\d+\.)?$/.test(prefix)) return "";
  return SNIPPETS[language](prefix, digest);
}

const SNIPPETS: Record<Language, (prefix: string, digest: string) => string> = {
  Shell: (prefix, digest) =>
    `expected=${digest}
actual=$({ printf '%s' '${prefix}'; cat body.json; } | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/.* //')
[ "$actual" = "$expected" ] && echo valid || echo "not valid"
`,
  "Node.js": (prefix, digest) =>
    `import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";

const expected = Buffer.from("${digest}", "hex");
const actual = createHmac("sha256", process.env.WEBHOOK_SECRET)
  .update("${prefix}")
  .update(readFileSync("body.json"))
  .digest();
console.log(timingSafeEqual(actual, expected) ? "valid" : "not valid");
`,
  Python: (prefix, digest) =>
    `import hashlib, hmac, os

expected = "${digest}"
body = open("body.json", "rb").read()
actual = hmac.new(os.environ["WEBHOOK_SECRET"].encode(), b"${prefix}" + body, hashlib.sha256).hexdigest()
print("valid" if hmac.compare_digest(actual, expected) else "not valid")
`,
  Go: (prefix, digest) =>
    `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
)

func main() {
	expected, _ := hex.DecodeString("${digest}")
	body, err := os.ReadFile("body.json")
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha256.New, []byte(os.Getenv("WEBHOOK_SECRET")))
	mac.Write([]byte("${prefix}"))
	mac.Write(body)
	if hmac.Equal(mac.Sum(nil), expected) {
		fmt.Println("valid")
	} else {
		fmt.Println("not valid")
	}
}
`,
};
