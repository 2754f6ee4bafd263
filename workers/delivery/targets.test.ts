import { createHmac, randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Conn } from "#db/client.ts";
import { withTransaction } from "#db/client.ts";
import { insertEndpointSecret } from "#db/queries/endpoint-secrets.ts";
import { secretIdentity } from "#server/crypto/identities.ts";
import { createKeyring, parseRootKeys } from "#server/crypto/keyring.ts";
import { newSecret, signDelivery } from "#server/domain/signing.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { type Target, Targets } from "./targets.ts";
import { openEngine, type TestEndpoint, type TestEngine } from "./test-support.ts";

let database: TestDatabase;
let engine: TestEngine;
let endpoint: TestEndpoint;
/** How often an endpoint was read. */
let reads: number;
let failing: Error | undefined;
let targets: Targets;

beforeEach(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
  endpoint = await engine.addEndpoint({ url: "https://example.com/one", timeoutMs: 1_234, maxInFlight: 7 });
  reads = 0;
  failing = undefined;
  const counting: Conn = {
    orm: engine.db.orm,
    query: async (...query: Parameters<Conn["query"]>) => {
      reads++;
      if (failing) throw failing;
      return engine.db.query(...query);
    },
  } as Conn;
  targets = new Targets(counting, createKeyring(parseRootKeys(engine.encryptionKeys)));
});
afterEach(async () => {
  await engine?.close();
  await database?.drop();
});

const get = (version: string) => targets.get(engine.tenantId, endpoint.id, version);
const change = (sql: string) =>
  engine.db.query(`update webhook_endpoints set ${sql}, version = version + 1 where id = $1`, [endpoint.id]);

/** What the target signs a body with. */
function signatureBy(target: Target, at = Date.now()) {
  const body = Buffer.from("{}");
  const keys = target.keysAt(at);
  return signDelivery({ format: target.format, keys, deliveryId: "dlv_1", timestamp: 1, body });
}
const hmac = (secret: string) => createHmac("sha256", secret).update("{}").digest("hex");

async function addSecret(kid: string, age: { createdAt: Date; expiresAt?: Date }): Promise<string> {
  const secret = newSecret(randomBytes);
  const keyring = createKeyring(parseRootKeys(engine.encryptionKeys));
  const row = { tenantId: engine.tenantId, endpointId: endpoint.id, kid };
  const sealed = keyring.seal(secret, secretIdentity(row.tenantId, row.endpointId, kid));
  await withTransaction(engine.db, (tx) =>
    insertEndpointSecret(tx, { ...row, sealed, createdAt: age.createdAt }),
  );
  if (age.expiresAt)
    await engine.db.query("update endpoint_secrets set expires_at = $2 where kid = $1", [kid, age.expiresAt]);
  return secret;
}

describe("a target", () => {
  it("is read once, however many ask at the same time, and again when its endpoint has changed", async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => get("1")));
    expect(reads).toBe(1);
    expect(new Set(all).size).toBe(1);
    expect(all[0]).toMatchObject({
      url: "https://example.com/one",
      timeoutMs: 1_234,
      maxInFlight: 7,
      version: "1",
    });

    await change("url = 'https://example.com/two'");
    expect((await get("1")).url).toBe("https://example.com/one");
    const changed = await Promise.all(Array.from({ length: 50 }, () => get("2")));
    expect(new Set(changed.map(({ url }) => url))).toEqual(new Set(["https://example.com/two"]));
    expect(reads).toBe(2);
    expect((await get("1")).url).toBe("https://example.com/two");
    expect(reads).toBe(2);
  });

  it("compares versions as numbers", async () => {
    await engine.db.query("update webhook_endpoints set version = 10 where id = $1", [endpoint.id]);
    await get("10");
    await get("9");
    expect(reads).toBe(1);
  });

  it("is read again after a failure", async () => {
    failing = new Error("Connection terminated unexpectedly");
    await expect(Promise.all([get("1"), get("1")])).rejects.toThrow("Connection terminated");
    failing = undefined;
    expect((await get("1")).version).toBe("1");
  });

  it("of another tenant does not exist", async () => {
    await expect(targets.get("00000000-0000-0000-0000-000000000000", endpoint.id, "1")).rejects.toThrow(
      "does not exist",
    );
  });
});

describe("the keys of a target", () => {
  it("sign with the newest, and with each that is still valid during an overlap", async () => {
    const hourAgo = new Date(Date.now() - 3_600_000);
    const inAnHour = new Date(Date.now() + 3_600_000);
    await engine.db.query("update endpoint_secrets set created_at = $1, expires_at = $2", [
      hourAgo,
      inAnHour,
    ]);
    const current = await addSecret("v2", { createdAt: new Date() });
    const target = await get("1");
    const during = signatureBy(target);
    expect(during).toMatchObject({ keyId: "v2", signature: hmac(current) });
    expect(during.webhookSignature.split(" ")).toHaveLength(2);
    const after = signatureBy(target, inAnHour.getTime() + 1);
    expect(after.webhookSignature.split(" ")).toHaveLength(1);
  });

  it("do not include one that was revoked or has expired", async () => {
    await addSecret("v0", { createdAt: new Date(0), expiresAt: new Date(1) });
    const revoked = await addSecret("v2", { createdAt: new Date(Date.now() + 1_000) });
    await engine.db.query("update endpoint_secrets set revoked_at = now() where kid = 'v2'");
    const { signature, webhookSignature } = signatureBy(await get("1"));
    expect(signature).toBe(hmac(endpoint.secret));
    expect(signature).not.toBe(hmac(revoked));
    expect(webhookSignature.split(" ")).toHaveLength(1);
  });

  it("are missed loudly when there is none", async () => {
    await engine.db.query("update endpoint_secrets set revoked_at = now()");
    const target = await get("1");
    expect(() => target.keysAt(Date.now())).toThrow("no valid signing secret");
  });

  it("cannot be opened in the row of another endpoint", async () => {
    const other = await engine.addEndpoint({ url: "https://example.com/other" });
    await engine.db.query(
      "update endpoint_secrets set sealed = (select sealed from endpoint_secrets where endpoint_id = $1) where endpoint_id = $2",
      [other.id, endpoint.id],
    );
    await expect(get("1")).rejects.toThrow();
  });
});
