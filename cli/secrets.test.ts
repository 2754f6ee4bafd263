import { randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { insertEndpointSecret } from "#db/queries/endpoint-secrets.ts";
import { insertEndpoint } from "#db/queries/endpoints.ts";
import { listSealedBy } from "#db/queries/sealed-secrets.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { headersIdentity, secretIdentity, signingKeyIdentity } from "#server/crypto/identities.ts";
import { createKeyring, newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import { newSecret } from "#server/domain/signing.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { openTestCli, runCli, type TestCli } from "./test-support.ts";

let cli: TestCli;
let tenantId: string;
beforeAll(async () => {
  cli = await openTestCli();
  ({ id: tenantId } = await withTransaction(cli.db, (tx) =>
    createTenant(tx, { name: "Acme", now: new Date() }),
  ));
});
afterAll(() => cli.close());

const [first, second] = [newRootKey("k1"), newRootKey("k2")];
const reencrypt = (keys: string) =>
  runCli(["secrets", "re-encrypt"], { DATABASE_URL: cli.url, ENCRYPTION_KEYS: keys });
const sealedBy = async () =>
  Object.fromEntries((await listSealedBy(cli.db)).map(({ keyId, count }) => [keyId, count]));

/** An endpoint with a secret, headers and an ed25519 key, all sealed with the first root key. */
async function addEndpoint(): Promise<{ id: string; secret: string }> {
  const keyring = createKeyring(parseRootKeys(first));
  const [id, secret, createdAt] = [uuidv7(), newSecret(randomBytes), new Date()];
  await withTransaction(cli.db, async (tx) => {
    await insertEndpoint(tx, tenantId, {
      ...{ id, createdAt, url: "https://example.com/", description: null, eventTypes: ["*"] },
      ...{ signatureFormat: "hex", timeoutMs: 15_000, maxInFlight: 10, headerNames: ["x-a"] },
      sealedHeaders: keyring.seal('{"x-a":"1"}', headersIdentity(tenantId, id)),
      sealedSigningKey: keyring.seal("whsk_x", signingKeyIdentity(tenantId, id)),
      publicKey: "whpk_x",
    });
    const sealed = keyring.seal(secret, secretIdentity(tenantId, id, "v1"));
    await insertEndpointSecret(tx, { tenantId, endpointId: id, kid: "v1", sealed, createdAt });
  });
  return { id, secret };
}

describe("secrets re-encrypt", () => {
  it("seals everything with the newest root key, once, and notes how much it was", async () => {
    const endpoints = [];
    for (let n = 0; n < 70; n++) endpoints.push(await addEndpoint());
    expect(await sealedBy()).toEqual({ k1: 210 });
    const done = await reencrypt(`${second},${first}`);
    expect(done).toEqual({ code: 0, stdout: "", stderr: "Sealed 210 anew with k2.\n" });
    expect(await sealedBy()).toEqual({ k2: 210 });

    const keyring = createKeyring(parseRootKeys(second));
    const { id, secret } = endpoints.at(-1) ?? { id: "", secret: "" };
    const [row] = await cli.db.query<{ secret: string; headers: string; key: string }>(
      `select s.sealed as secret, w.sealed_headers as headers, w.sealed_signing_key as key
         from webhook_endpoints w join endpoint_secrets s on s.endpoint_id = w.id where w.id = $1`,
      [id],
    );
    expect(keyring.open(row?.secret ?? "", secretIdentity(tenantId, id, "v1"))).toBe(secret);
    expect(keyring.open(row?.headers ?? "", headersIdentity(tenantId, id))).toBe('{"x-a":"1"}');
    expect(keyring.open(row?.key ?? "", signingKeyIdentity(tenantId, id))).toBe("whsk_x");

    expect((await reencrypt(`${second},${first}`)).stderr).toBe("Sealed 0 anew with k2.\n");
    const notes = await listAuditRows(cli.db, INSTALLATION);
    expect(notes.map(({ action, target, after }) => [action, target, after])).toEqual([
      ["secrets.re_encrypt", "k2", { resealed: 200, unopened: 0 }],
      ["secrets.re_encrypt", "k2", { resealed: 10, unopened: 0 }],
    ]);
    expect(JSON.stringify(notes)).not.toContain("whs");
  });

  it("leaves what no root key opens as it is, says so and fails", async () => {
    await addEndpoint();
    const third = newRootKey("k3");
    const done = await reencrypt(`${third},${second}`);
    expect(done.code).toBe(1);
    expect(done.stderr).toMatch(/^Sealed 210 anew with k3\.\n3 cannot be opened/);
    expect(await sealedBy()).toEqual({ k1: 3, k3: 210 });
  });
});
