import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { API_KEY_SCOPES } from "#contracts/scopes.ts";
import { withTransaction } from "#db/client.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { listApiKeys } from "#db/queries/keys.ts";
import { newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import { createApiKey } from "#server/keys/create-api-key.ts";
import { verifyApiKey } from "#server/keys/verify-api-key.ts";
import { openServices } from "#server/runtime/services.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { openTestCli, type TestCli } from "./test-support.ts";

const ABSENT = "01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84";

let cli: TestCli;
let web: Awaited<ReturnType<typeof openServices>>;
let tenantId: string;
let tenant: string;

const newTenant = async (name: string) =>
  (await withTransaction(cli.db, (tx) => createTenant(tx, { name, now: new Date() }))).id;
const newKey = (name: string) =>
  withTransaction(cli.db, (tx) => createApiKey(tx, { tenantId, name, now: new Date() }));
/** The keys of a tenant, but for when they were used, which is noted a moment later. */
const keysOf = async (id: string) =>
  (await listApiKeys(cli.db, id)).map(({ lastUsedAt: _lastUsedAt, ...key }) => key);
const holderOf = (key: string, now = new Date()) => verifyApiKey({ ...web.services, now: () => now }, key);

beforeAll(async () => {
  cli = await openTestCli();
  web = await openServices({
    role: "web",
    name: "cli-test",
    databaseUrl: cli.url,
    rootKeys: parseRootKeys(newRootKey("k1")),
    allowPrivateTargets: [],
    logLevel: "silent",
  });
  tenantId = await newTenant("Acme");
  tenant = toId("tenant", tenantId);
});
afterAll(async () => {
  await web.close();
  await cli.close();
});

describe("keys create", () => {
  it("makes a key that works, and prints it alone", async () => {
    const key = await cli.made("keys", "create", tenant, "--name", "deploy");
    const holder = await holderOf(key);
    expect(holder?.tenantId).toBe(tenantId);
    expect([...(holder?.actor.scopes ?? [])]).toEqual(API_KEY_SCOPES);
  });

  it("gives it the scopes and the expiry that were asked for, and notes them", async () => {
    const key = await cli.made(
      ...["keys", "create", tenant, "--name", "narrow"],
      ...["--scopes", "orders:write,events:read", "--expires", "2199-12-31T23:00:00Z"],
    );
    expect([...((await holderOf(key))?.actor.scopes ?? [])]).toEqual(["orders:write", "events:read"]);
    expect(await holderOf(key, new Date("2199-12-31T23:00:01Z"))).toBeUndefined();
    const note = (await listAuditRows(cli.db, tenantId)).at(-1);
    expect(note).toMatchObject({
      actor: "cli",
      action: "api_key.create",
      after: {
        name: "narrow",
        scopes: ["orders:write", "events:read"],
        expires_at: "2199-12-31T23:00:00.000Z",
      },
    });
    expect(JSON.stringify(note)).not.toContain(key.split("_")[3]);
  });

  it("refuses what is missing, malformed or unknown, and makes no key", async () => {
    const before = await keysOf(tenantId);
    const create = (...rest: string[]) => ["keys", "create", ...rest];
    await cli.refused(create(tenant), /required option '--name <name>' not specified/);
    await cli.refused(create(tenant, "--name", "x", "--scopes", "everything"), /Scopes are carts:read,/);
    await cli.refused(create(`ten_${ABSENT}`, "--name", "x"), /There is no tenant ten_/);
    expect(await keysOf(tenantId)).toEqual(before);
  });
});

describe("keys list", () => {
  it("shows every key of the tenant with its state, and no secret", async () => {
    const { id, key } = await newKey("shown");
    await cli.db.query("update api_keys set expires_at = now() where id = $1", [id]);
    const [json, table] = await Promise.all([
      cli.made("keys", "list", tenant, "--json"),
      cli.made("keys", "list", tenant),
    ]);
    const shown = JSON.parse(json).find((each: { id: string }) => each.id === toId("apiKey", id));
    expect(shown).toMatchObject({
      name: "shown",
      prefix: key.split("_").slice(0, 3).join("_"),
      state: "expired",
    });
    expect(table).toMatch(new RegExp(`^key_${id} +shown +ph_live_\\w+ +expired `, "m"));
    expect(json + table).not.toContain(key.split("_")[3]);
  });

  it("refuses a tenant that does not exist", async () => {
    await cli.refused(["keys", "list", `ten_${ABSENT}`], /There is no tenant ten_/);
  });
});

describe("keys revoke", () => {
  it("ends a key at once, and changes nothing the second time", async () => {
    const { id, key } = await newKey("leaked");
    const target = toId("apiKey", id);
    expect((await cli.run("keys", "revoke", tenant, target)).stderr).toBe(`Revoked ${target}.\n`);
    expect(await holderOf(key)).toBeUndefined();
    const before = await keysOf(tenantId);
    const again = await cli.run("keys", "revoke", tenant, target);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("revoked before")]);
    expect(await keysOf(tenantId)).toEqual(before);
    const notes = (await listAuditRows(cli.db, tenantId)).filter((row) => row.target === target);
    expect(notes).toMatchObject([{ actor: "cli", action: "api_key.revoke", before: { revoked_at: null } }]);
  });

  it("refuses another tenant's key, which goes on working", async () => {
    const { id, key } = await newKey("mine");
    const other = toId("tenant", await newTenant("Globex"));
    await cli.refused(["keys", "revoke", other, toId("apiKey", id)], /has no key key_/);
    expect(await holderOf(key)).toBeDefined();
  });
});

describe("keys rotate", () => {
  it("makes a key of the same principal and lets the old one end after the overlap", async () => {
    const old = await newKey("app");
    const target = toId("apiKey", old.id);
    const key = await cli.made("keys", "rotate", tenant, target, "--overlap", "60");
    const [before, after] = [await holderOf(old.key), await holderOf(key)];
    expect(after?.actor).toMatchObject({
      principalId: before?.actor.principalId,
      scopes: before?.actor.scopes,
    });
    const later = new Date(Date.now() + 61_000);
    expect(await holderOf(old.key, later)).toBeUndefined();
    expect(await holderOf(key, later)).toBeDefined();
    const note = (await listAuditRows(cli.db, tenantId)).at(-1);
    expect(note).toMatchObject({ actor: "cli", action: "api_key.rotate", target });
    expect(JSON.stringify(note)).not.toContain(key.split("_")[3]);
    await cli.refused(["keys", "rotate", tenant, target], /has been replaced before/);
  });

  it("refuses an overlap that cannot be, a key that has ended and one that is none", async () => {
    const { id } = await newKey("ended");
    const target = toId("apiKey", id);
    for (const overlap of ["-1", "604801", "soon"])
      await cli.refused(["keys", "rotate", tenant, target, `--overlap=${overlap}`], /whole seconds from 0/);
    await cli.made("keys", "revoke", tenant, target);
    await cli.refused(["keys", "rotate", tenant, target], /The key is revoked/);
    await cli.refused(["keys", "rotate", tenant, `key_${ABSENT}`], /has no key key_/);
  });
});
