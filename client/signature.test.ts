import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { signatureOf, snippetOf } from "./signature.ts";
import { makeAttempt } from "./testing/make.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"id":"evt_1","data":{"name":"Zoë"}}';
const hmac = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex");
const requestWith = (signature: string) => ({
  ...makeAttempt().request,
  headers: {
    "X-Signature": signature,
    "X-Signature-Key-Id": "k3",
    "X-Signature-Timestamp": "1763717400",
    "webhook-id": "dlv_1",
    "webhook-timestamp": "1763717400",
    "webhook-signature": "v1,aaa v1,bbb",
  },
});
const factsOf = (signature: string) => {
  const facts = signatureOf(requestWith(signature));
  if (!facts) throw new Error("no signature was found");
  return facts;
};

describe("signatureOf", () => {
  it("knows each format, its digest and what was signed before the body", () => {
    expect(factsOf(hmac(BODY))).toMatchObject({ format: "hex", prefix: "", digest: hmac(BODY), keyId: "k3" });
    expect(factsOf(`sha256=${hmac(BODY)}`)).toMatchObject({ format: "sha256", digest: hmac(BODY) });
    expect(factsOf("t=1763717400,kid=k3,v1=00ff")).toMatchObject({
      ...{ format: "timestamped", prefix: "1763717400.", digest: "00ff" },
      standard: { entries: ["v1,aaa", "v1,bbb"], prefix: "dlv_1.1763717400." },
    });
  });

  it("finds nothing where there are no headers", () => {
    expect(signatureOf({ ...requestWith(""), headers: {} })).toBeNull();
  });
});

describe("snippetOf", () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-snippets-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (command: string, args: string[], body: string) => {
    writeFileSync(join(folder, "body.json"), body);
    const env = { NODE_ENV: "test", WEBHOOK_SECRET: SECRET } as const;
    return execFileSync(command, args, { cwd: folder, env, encoding: "utf8" }).trim();
  };

  it.each([hmac(BODY), `sha256=${hmac(BODY)}`, `t=1763717400,kid=k3,v1=${hmac(`1763717400.${BODY}`)}`])(
    "gives a program for Node.js that tells right bytes from wrong ones: %s",
    (signature) => {
      writeFileSync(join(folder, "verify.mjs"), snippetOf("Node.js", factsOf(signature)));
      expect(run(process.execPath, ["verify.mjs"], BODY)).toBe("valid");
      expect(run(process.execPath, ["verify.mjs"], `${BODY} `)).toBe("not valid");
    },
  );

  it("fills in nothing but digests and times", () => {
    expect(snippetOf("Shell", { ...factsOf("00ff"), digest: '"; rm -rf /' })).toBe("");
  });
});
