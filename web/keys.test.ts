import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { API_KEY_SCOPES, type Role } from "#contracts/scopes.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { type Answer, openTestApi, type TestApi } from "./test-support.ts";
import { staffOf } from "./testing/staff-api.ts";

let api: TestApi;
let now: Date | undefined;
beforeAll(async () => {
  api = await openTestApi({
    now: () => now ?? new Date(),
    findStaff: async (role) => ({ ...staffOf(role as Role), confirmedAt: now ?? new Date() }),
  });
});
afterAll(() => api.close());

const slugOf = (answer: Answer) => [answer.status, answer.json?.type?.split("/").at(-1)];
const create = (json: object, key = api.tenant.key) => api.call("POST", "/api-keys", { json, key });
const reader = { name: "reader", scopes: ["orders:read"] };
const statusWith = async (key: string) => (await api.call("GET", "/orders", { key })).status;
const lastNote = async () => (await listAuditRows(api.services.db, api.tenant.id)).at(-1);

describe("a new key", () => {
  it("is shown once, works with its scopes, and is noted without what it is made of", async () => {
    const made = await create({ name: "deploy", scopes: ["orders:write", "orders:read", "orders:read"] });
    const { key, ...shown } = made.json;
    expect([made.status, made.headers.get("location")]).toEqual([201, `/api/v1/api-keys/${shown.id}`]);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "deploy",
      prefix: key.split("_").slice(0, 3).join("_"),
      scopes: ["orders:read", "orders:write"],
      state: "active",
      created_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    });
    expect(await statusWith(key)).toBe(200);
    expect((await api.call("GET", "/events", { key })).status).toBe(403);
    const read = await api.call("GET", `/api-keys/${shown.id}`);
    expect(read.json).toEqual({ ...shown, last_used_at: read.json.last_used_at });
    expect(await lastNote()).toMatchObject({ action: "api_key.create", target: shown.id, after: shown });
    const listed = await api.call("GET", "/api-keys?limit=1");
    expect(listed.json.items).toEqual([read.json]);
    expect(listed.json.has_more).toBe(true);
  });

  it("ends when it was said to end", async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const { key, id } = (await create({ ...reader, expires_at })).json;
    expect(await statusWith(key)).toBe(200);
    now = new Date(expires_at);
    try {
      expect(await statusWith(key)).toBe(401);
      expect((await api.call("GET", `/api-keys/${id}`)).json).toMatchObject({ state: "expired", expires_at });
      expect(slugOf(await api.call("POST", `/api-keys/${id}/rotate`))).toEqual([409, "state-conflict"]);
    } finally {
      now = undefined;
    }
  });

  it.each([
    [{}, ["#/name", "#/scopes"]],
    [{ name: "", scopes: [] }, ["#/name", "#/scopes"]],
    [{ ...reader, scopes: ["orders:read", "everything"] }, ["#/scopes/1"]],
    [{ ...reader, scopes: ["tenants:read"] }, ["#/scopes/0"]],
    [{ ...reader, expires_at: "2020-01-01T00:00:00Z" }, ["#/expires_at"]],
    [{ ...reader, expires_at: "tomorrow" }, ["#/expires_at"]],
    [{ ...reader, tenant: "x" }, ["#/tenant"]],
  ])("is refused when it is %j", async (json, pointers) => {
    const refused = await create(json);
    expect(slugOf(refused)).toEqual([422, "validation-error"]);
    expect(refused.json.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual(pointers);
  });

  it("cannot do more than the key that makes it", async () => {
    const manager = await api.addKey(api.tenant.id, ["keys:manage", "orders:read"]);
    const refused = await create({ name: "x", scopes: ["orders:read", "events:write"] }, manager);
    expect(slugOf(refused)).toEqual([403, "forbidden"]);
    expect(refused.json.detail).toContain("events:write");
    expect((await create(reader, manager)).status).toBe(201);
    const { id } = (await create({ name: "x", scopes: ["orders:write"] })).json;
    expect(slugOf(await api.call("POST", `/api-keys/${id}/rotate`, { key: manager }))).toEqual([
      403,
      "forbidden",
    ]);
    const { key } = (await create(reader)).json;
    expect(slugOf(await create(reader, key))).toEqual([403, "forbidden"]);
  });

  it("may be given every scope by an admin, and is made by no other staff", async () => {
    const as = (role: Role) => ({
      key: null,
      headers: {
        cookie: role,
        "posthorn-tenant": toId("tenant", api.tenant.id),
        "sec-fetch-site": "same-origin",
      },
      json: { name: "all", scopes: API_KEY_SCOPES },
    });
    expect((await api.call("POST", "/api-keys", as("admin"))).json.scopes).toEqual(API_KEY_SCOPES);
    expect(await lastNote()).toMatchObject({ actor: "admin@example.com", role: "admin" });
    for (const role of ["viewer", "support", "operator"] as const)
      expect(slugOf(await api.call("POST", "/api-keys", as(role)))).toEqual([403, "forbidden"]);
  });
});

describe("a rotation", () => {
  const rotate = (id: string, json?: object) =>
    api.call("POST", `/api-keys/${id}/rotate`, json ? { json } : {});

  it("makes the same principal another key: cursors and idempotency keys go on working", async () => {
    const old = (await create({ name: "app", scopes: ["orders:read", "orders:write"] })).json;
    const order = {
      json: { CustomerId: "c", Total: 1, Currency: "EUR" },
      headers: { "idempotency-key": "once" },
    };
    const first = await api.call("POST", "/orders", { ...order, key: old.key });
    await api.call("POST", "/orders", { json: order.json, key: old.key });
    const cursor = (await api.call("GET", "/orders?limit=1", { key: old.key })).json.next_cursor;

    const made = await rotate(old.id, { overlap_seconds: 3600 });
    const { key, ...shown } = made.json;
    expect([made.status, made.headers.get("location")]).toEqual([201, `/api/v1/api-keys/${shown.id}`]);
    expect(shown).toMatchObject({ name: "app", scopes: old.scopes, state: "active", expires_at: null });
    expect([shown.id, shown.prefix, key]).not.toContain(old.id);
    const again = await api.call("POST", "/orders", { ...order, key });
    expect([again.status, again.json, again.headers.get("idempotent-replayed")]).toEqual([
      201,
      first.json,
      "true",
    ]);
    expect((await api.call("GET", `/orders?limit=1&after=${cursor}`, { key })).json.items[0].id).toBe(
      first.json.id,
    );
    expect(await statusWith(old.key)).toBe(200);
    const before = (await api.call("GET", `/api-keys/${old.id}`)).json;
    const overlap = Date.parse(before.expires_at) - Date.parse(shown.created_at);
    expect(overlap).toBe(3_600_000);
    expect(await lastNote()).toMatchObject({
      action: "api_key.rotate",
      target: old.id,
      after: { replaced_by: shown.id },
    });
  });

  it("lasts a day unless it is said otherwise, and never longer than the old key", async () => {
    const old = (await create(reader)).json;
    await rotate(old.id);
    const { expires_at } = (await api.call("GET", `/api-keys/${old.id}`)).json;
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(86_000_000);
    const soon = new Date(Date.now() + 60_000).toISOString();
    const short = (await create({ ...reader, expires_at: soon })).json;
    expect((await rotate(short.id)).json.expires_at).toBe(soon);
    expect((await api.call("GET", `/api-keys/${short.id}`)).json.expires_at).toBe(soon);
  });

  it("without an overlap ends the old key at once", async () => {
    const old = (await create(reader)).json;
    expect((await rotate(old.id, { overlap_seconds: 0 })).status).toBe(201);
    expect(await statusWith(old.key)).toBe(401);
  });

  it("happens once, however many ask for it at the same moment", async () => {
    const old = (await create(reader)).json;
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(old.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const keys = (await api.call("GET", "/api-keys?limit=100")).json.items;
    const made = answers.find(({ status }) => status === 201)?.json.id;
    expect(keys[0].id).toBe(made);
    expect((await rotate(made)).status).toBe(201);
  });

  it("is refused with an overlap that cannot be, and for what has ended or does not exist", async () => {
    const old = (await create(reader)).json;
    for (const overlap_seconds of [-1, 604_801, 1.5, "1"])
      expect(slugOf(await rotate(old.id, { overlap_seconds }))).toEqual([422, "validation-error"]);
    await api.call("DELETE", `/api-keys/${old.id}`);
    const refused = await rotate(old.id);
    expect([...slugOf(refused), refused.json.state]).toEqual([409, "state-conflict", "revoked"]);
    expect(slugOf(await rotate("key_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84"))).toEqual([404, "not-found"]);
  });
});

describe("a revocation", () => {
  it("counts for every request that begins after it, and is the same when it is repeated", async () => {
    const { id, key } = (await create(reader)).json;
    let revoked = false;
    const seen = { before: 0, after: [] as number[] };
    const hammer = async () => {
      while (seen.after.length < 20) {
        const isAfter = revoked;
        const status = await statusWith(key);
        if (isAfter) seen.after.push(status);
        else if (status === 200) seen.before++;
      }
    };
    const hammers = Array.from({ length: 8 }, hammer);
    await expect.poll(() => seen.before).toBeGreaterThan(20);
    expect((await api.call("DELETE", `/api-keys/${id}`)).status).toBe(204);
    revoked = true;
    await Promise.all(hammers);
    expect(new Set(seen.after)).toEqual(new Set([401]));
    const noted = (await listAuditRows(api.services.db, api.tenant.id)).length;
    const again = await api.call("DELETE", `/api-keys/${id}`);
    expect([again.status, again.text]).toEqual([204, ""]);
    expect((await listAuditRows(api.services.db, api.tenant.id)).length).toBe(noted);
    const shown = (await api.call("GET", `/api-keys/${id}`)).json;
    expect(shown).toMatchObject({ state: "revoked", revoked_at: expect.any(String) });
  });

  it("of a key that does not exist, or is another tenant's, is 404", async () => {
    const other = await api.addTenant();
    const { id, key } = (await create(reader)).json;
    const calls: [string, string][] = [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/rotate"],
    ];
    for (const [method, rest] of calls) {
      const foreign = await api.call(method, `/api-keys/${id}${rest}`, { key: other.key });
      expect(slugOf(foreign)).toEqual([404, "not-found"]);
    }
    expect(await statusWith(key)).toBe(200);
  });
});
