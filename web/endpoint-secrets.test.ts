import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
let nowMs: number;
let id: string;
beforeAll(async () => {
  api = await openTestApi({ now: () => new Date(nowMs) });
});
beforeEach(async () => {
  nowMs = Date.parse("2026-11-21T09:30:00.000Z");
  const json = { url: "https://example.com/webhooks", event_types: ["*"] };
  id = (await api.call("POST", "/webhook-endpoints", { json })).json.id;
});
afterAll(() => api.close());

const rotate = (json: object = {}, headers: Record<string, string> = {}) =>
  api.call("POST", `/webhook-endpoints/${id}/secret-rotations`, { json, headers });
const revoke = (kid: string) => api.call("DELETE", `/webhook-endpoints/${id}/secrets/${kid}`);
const secrets = async () => (await api.call("GET", `/webhook-endpoints/${id}/secrets`)).json.items;
const states = async () =>
  Object.fromEntries((await secrets()).map(({ kid, state }: { kid: string; state: string }) => [kid, state]));
const version = async () => (await api.call("GET", `/webhook-endpoints/${id}`)).json.version;

describe("a rotation", () => {
  it("makes the next key and shows it this once; the one before stays valid for a day", async () => {
    const answer = await rotate();
    expect(answer.status).toBe(201);
    expect(answer.headers.get("location")).toBe(`/api/v1/webhook-endpoints/${id}/secrets`);
    const { secret, ...shown } = answer.json;
    expect(Buffer.from(secret.replace("whsec_", ""), "base64")).toHaveLength(32);
    const created_at = "2026-11-21T09:30:00.000Z";
    expect(shown).toEqual({ kid: "v2", state: "current", created_at, expires_at: null, revoked_at: null });
    expect(await secrets()).toEqual([
      shown,
      {
        kid: "v1",
        state: "overlapping",
        created_at,
        expires_at: "2026-11-22T09:30:00.000Z",
        revoked_at: null,
      },
    ]);
    expect(JSON.stringify(await secrets())).not.toContain("whsec_");
    nowMs += 86_400_000 - 1;
    expect(await states()).toEqual({ v2: "current", v1: "overlapping" });
    nowMs += 1;
    expect(await states()).toEqual({ v2: "current", v1: "expired" });
  });

  it("works without a body, ends the key before at once with no overlap, and takes a chosen secret", async () => {
    const bare = await api.call("POST", `/webhook-endpoints/${id}/secret-rotations`);
    expect(bare.status).toBe(201);
    const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    const { json } = await rotate({ overlap_seconds: 0, secret });
    expect(json).toMatchObject({ kid: "v3", secret });
    expect(await states()).toEqual({ v3: "current", v2: "expired", v1: "overlapping" });
  });

  it.each([
    [{ overlap_seconds: -1 }, "#/overlap_seconds"],
    [{ overlap_seconds: 604_801 }, "#/overlap_seconds"],
    [{ overlap_seconds: 1.5 }, "#/overlap_seconds"],
    [{ secret: "whsec_short" }, "#/secret"],
    [{ kid: "v9" }, "#/kid"],
  ])("refuses %j", async (json, pointer) => {
    expect((await rotate(json)).json).toMatchObject({ status: 422, errors: [{ pointer }] });
    expect(await states()).toEqual({ v1: "current" });
  });

  it("lets the version grow, so that nobody goes on with the keys there were", async () => {
    await rotate();
    expect(await version()).toBe(2);
    await revoke("v1");
    expect(await version()).toBe(3);
  });

  it("is refused while five keys are valid, and possible again when one is not", async () => {
    for (let n = 0; n < 4; n++) await rotate({ overlap_seconds: 600 });
    const refused = await rotate();
    expect(refused.json).toMatchObject({ status: 409, state: "enabled" });
    expect(refused.json.detail).toContain("5 keys");
    expect((await rotate({ overlap_seconds: 0 })).status).toBe(201);
    await revoke("v1");
    expect((await rotate({ overlap_seconds: 600 })).json.kid).toBe("v7");
    nowMs += 600_000;
    expect((await rotate()).json.kid).toBe("v8");
  });

  it("is one however many times it is asked for with one key, and the stored answer is sealed", async () => {
    const key = { "idempotency-key": "rotate-1" };
    const [first, again] = [await rotate({}, key), await rotate({}, key)];
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.json).toEqual(first.json);
    expect(await states()).toEqual({ v2: "current", v1: "overlapping" });
    const stored = JSON.stringify(await api.services.db.query("select body from idempotency_records"));
    expect(stored).not.toContain("whsec_");
  });

  it("takes turns: of many at once each makes a key of its own, and one is current", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => rotate({ overlap_seconds: 600 })));
    expect(answers.map(({ json }) => json.kid).sort()).toEqual(["v2", "v3", "v4", "v5"]);
    expect(await states()).toEqual({
      ...{ v5: "current", v4: "overlapping", v3: "overlapping" },
      ...{ v2: "overlapping", v1: "overlapping" },
    });
  });

  it("remembers the fifty newest keys that have ended, and never uses an id again", async () => {
    await api.services.db.query(
      `insert into endpoint_secrets (tenant_id, endpoint_id, kid, sealed, expires_at)
       select $1::uuid, $2::uuid, 'v' || n, 'x', timestamptz '2026-01-01' from generate_series(2, 79) n
       union all select $1, $2, 'v80', 'x', null`,
      [api.tenant.id, fromId("endpoint", id)],
    );
    expect((await rotate({ overlap_seconds: 0 })).json.kid).toBe("v81");
    const kids = (await secrets()).map(({ kid }: { kid: string }) => kid);
    expect(kids.slice(0, 2)).toEqual(["v81", "v80"]);
    expect(kids.slice(2)).toEqual([...Array.from({ length: 50 }, (_, i) => `v${79 - i}`), "v1"]);
  });

  it("is on the record without any secret", async () => {
    const { secret } = (await rotate()).json;
    await revoke("v1");
    const rows = await api.services.db.query(
      "select action, before, after from audit_log where target = $1 order by number",
      [id],
    );
    expect(rows.slice(1)).toEqual([
      {
        action: "webhook_endpoint.rotate_secret",
        before: { kid: "v1" },
        after: { kid: "v2", previous_expires_at: "2026-11-22T09:30:00.000Z" },
      },
      {
        action: "webhook_endpoint.revoke_secret",
        before: { kid: "v1", state: "overlapping" },
        after: { kid: "v1", state: "revoked" },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe("a revocation", () => {
  it("ends an overlapping key now, and again changes nothing", async () => {
    await rotate();
    nowMs += 1_000;
    expect((await revoke("v1")).status).toBe(204);
    expect((await revoke("v1")).status).toBe(204);
    expect(await version()).toBe(3);
    expect((await secrets())[1]).toMatchObject({ state: "revoked", revoked_at: "2026-11-21T09:30:01.000Z" });
  });

  it("is refused for the current key, alone or with others beside it: rotate first", async () => {
    expect((await revoke("v1")).json).toMatchObject({ status: 409, state: "current" });
    await rotate();
    expect((await revoke("v2")).json).toMatchObject({ status: 409, state: "current" });
    await rotate({ overlap_seconds: 0 });
    expect((await revoke("v2")).status).toBe(204);
    expect(await states()).toEqual({ v3: "current", v2: "revoked", v1: "overlapping" });
  });

  it.each(["v2", "V1", "current", "%00"])("of a key that never was is 404: %s", async (kid) => {
    expect((await revoke(kid)).status).toBe(404);
  });
});
