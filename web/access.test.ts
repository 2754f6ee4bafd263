import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { ROLE_SCOPES, type Role } from "#contracts/scopes.ts";
import { type Answer, openTestApi, type TestApi, type TestTenant } from "./test-support.ts";
import { staffOf } from "./testing/staff-api.ts";

let api: TestApi;
let other: TestTenant;
beforeAll(async () => {
  api = await openTestApi({
    // The cookie says which role its holder has.
    findStaff: async (cookie) => {
      const role = /^role=(\w+)$/.exec(cookie)?.[1];
      return role ? staffOf(role as Role, `user-${role}`) : null;
    },
  });
  other = await api.addTenant();
});
afterAll(() => api.close());

const order = { CustomerId: "c", Total: 1, Currency: "EUR" };
const slugOf = (answer: Answer) => [answer.status, answer.json?.type?.split("/").at(-1)];

/** All that a client sees but for what is different in every answer. */
function visible({ status, headers, text, json }: Answer) {
  const { date: _date, "x-request-id": id, ...rest } = Object.fromEntries(headers);
  return { status, headers: rest, body: text.replaceAll(String(id), "ID"), length: json && text.length };
}

describe("an API key", () => {
  it("is refused in the same words whatever is wrong with it", async () => {
    const { key } = api.tenant;
    const last = key.endsWith("0") ? "1" : "0";
    const revoked = await api.addKey(api.tenant.id);
    const expired = await api.addKey(api.tenant.id);
    const id = (text: string) => text.split("_")[2];
    await api.services.db.query("update api_keys set revoked_at = now() where public_id = $1", [id(revoked)]);
    await api.services.db.query("update api_keys set expires_at = now() where public_id = $1", [id(expired)]);
    const unknown = await api.addKey(api.tenant.id);
    await api.services.db.query("delete from api_keys where public_id = $1", [id(unknown)]);
    await api.services.db.query("update api_keys set secret_hash = sha256('') where public_id = $1", [
      id(revoked),
    ]);

    const headers = [
      {},
      ...[
        "",
        "Bearer",
        `Basic ${key}`,
        `Bearer ${key.slice(0, -1)}${last}`,
        `Bearer x${key}`,
        `Bearer ${key} x`,
      ]
        .concat([revoked, expired, unknown].map((text) => `Bearer ${text}`))
        .map((authorization) => ({ authorization })),
    ];
    const answers = await Promise.all(
      headers.map((sent) => api.call("GET", "/orders", { key: null, headers: sent })),
    );
    const [first] = answers.map(visible);
    expect(first).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
    for (const answer of answers) expect(visible(answer)).toEqual(first);
  });

  it("is taken whatever the case of the scheme, and cookies beside it are of no account", async () => {
    const headers = { authorization: `bEARER ${api.tenant.key}`, cookie: "role=admin" };
    expect((await api.call("POST", "/orders", { key: null, headers, json: order })).status).toBe(201);
    const bad = { authorization: "Bearer nonsense", cookie: "role=admin" };
    expect((await api.call("GET", "/orders", { key: null, headers: bad })).status).toBe(401);
  });

  it("does only what its scopes allow", async () => {
    const key = await api.addKey(api.tenant.id, ["orders:read"]);
    expect((await api.call("GET", "/orders", { key })).status).toBe(200);
    const refused = await api.call("POST", "/orders", { key, json: order });
    expect(slugOf(refused)).toEqual([403, "forbidden"]);
    expect(refused.json.detail).toContain("orders:write");
    expect(slugOf(await api.call("GET", "/tenants"))).toEqual([403, "forbidden"]);
  });

  it("has its use noted, once a minute at most", async () => {
    const key = await api.addKey(api.tenant.id);
    const lastUse = async () => {
      const [row] = await api.services.db.query<{ at: string | null }>(
        "select last_used_at::text as at from api_keys where public_id = $1",
        [key.split("_")[2]],
      );
      return row?.at ?? null;
    };
    await api.call("GET", "/orders", { key });
    await expect.poll(lastUse).not.toBeNull();
    const noted = await lastUse();
    await api.call("GET", "/orders", { key });
    expect(await lastUse()).toBe(noted);
  });
});

describe("another tenant's resource", () => {
  it("answers exactly as one that never existed", async () => {
    const made = await api.call("POST", "/orders", { json: order });
    const endpoint = await api.call("POST", "/webhook-endpoints", {
      json: { url: "https://example.com/x", event_types: ["*"] },
    });
    const event = await api.call("POST", "/events", { json: { type: "a", data: {} } });
    const uuid = "01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84";
    const pairs = [
      ["GET", `/orders/${made.json.id}`, "/orders/9223372036854775807"],
      ["POST", `/orders/${made.json.id}/payment`, "/orders/9223372036854775807/payment"],
      ["GET", `/webhook-endpoints/${endpoint.json.id}`, `/webhook-endpoints/whe_${uuid}`],
      ["GET", `/events/${event.json.id}`, `/events/evt_${uuid}`],
    ] as const;
    for (const [method, foreign, absent] of pairs) {
      expect((await api.call(method, foreign)).status, foreign).toBe(200);
      const [a, b] = await Promise.all(
        [foreign, absent].map((path) => api.call(method, path, { key: other.key })),
      );
      expect(a?.status).toBe(404);
      expect(visible(a as Answer)).toEqual(visible(b as Answer));
    }
  });

  it("is in no list and no feed", async () => {
    for (const path of ["/orders", "/events", "/webhook-endpoints", "/deliveries"])
      expect((await api.call("GET", path, { key: other.key })).json.items, path).toEqual([]);
  });

  it("cannot be reached by an id that cannot be", async () => {
    for (const id of ["0", "abc", "99999999999999999999", "-1", "1.0"])
      expect((await api.call("GET", `/orders/${id}`)).status, id).toBe(404);
    for (const id of ["x", "evt_x", "whe_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84"])
      expect((await api.call("GET", `/events/${id}`)).status, id).toBe(404);
  });
});

describe("staff", () => {
  const as = (role: string, more: Record<string, string> = {}) => ({
    key: null,
    headers: { cookie: `role=${role}`, "posthorn-tenant": toId("tenant", api.tenant.id), ...more },
  });
  const mutation = { json: { url: "https://example.com/x", event_types: ["*"] } };
  const sameOrigin = { "sec-fetch-site": "same-origin" };

  it("act on the tenant that they name, with the scopes of their role", async () => {
    expect(ROLE_SCOPES.viewer).not.toContain("webhooks:write");
    expect((await api.call("GET", "/orders", as("viewer"))).status).toBe(200);
    const refused = await api.call("POST", "/webhook-endpoints", {
      ...as("viewer", sameOrigin),
      ...mutation,
    });
    expect(slugOf(refused)).toEqual([403, "forbidden"]);
    const made = await api.call("POST", "/webhook-endpoints", { ...as("operator", sameOrigin), ...mutation });
    expect(made.status).toBe(201);
    const [entry] = await api.services.db.query(
      "select actor, role, action, target from audit_log where tenant_id = $1 order by number desc limit 1",
      [api.tenant.id],
    );
    expect(entry).toEqual({
      actor: "operator@example.com",
      role: "operator",
      action: "webhook_endpoint.create",
      target: made.json.id,
    });
  });

  it("must name a tenant, and one that exists", async () => {
    for (const tenant of ["", "nonsense", api.tenant.id])
      expect(slugOf(await api.call("GET", "/orders", as("viewer", { "posthorn-tenant": tenant })))).toEqual([
        400,
        "invalid-parameter",
      ]);
    const unknown = as("viewer", { "posthorn-tenant": "ten_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84" });
    expect(slugOf(await api.call("GET", "/orders", unknown))).toEqual([404, "not-found"]);
  });

  it("list all tenants without naming one", async () => {
    const answer = await api.call("GET", "/tenants", { key: null, headers: { cookie: "role=viewer" } });
    const ids = answer.json.items.map((tenant: { id: string }) => tenant.id);
    expect(ids).toEqual([toId("tenant", other.id), toId("tenant", api.tenant.id)]);
  });

  it("are refused without a session", async () => {
    expect(slugOf(await api.call("GET", "/orders", { key: null, headers: { cookie: "x=y" } }))).toEqual([
      401,
      "unauthenticated",
    ]);
  });

  it.each<[string, Record<string, string>, number]>([
    ["nothing says where it comes from", {}, 403],
    ["it comes from another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
    ["it comes from a sibling site", { "sec-fetch-site": "same-site" }, 403],
    ["its origin only begins like ours", { origin: "ORIGIN.evil.example" }, 403],
    ["it comes from the console", { "sec-fetch-site": "same-origin" }, 201],
    ["its origin is ours", { origin: "ORIGIN" }, 201],
  ])("change something when %s: %j → %i", async (_name, headers, status) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("ORIGIN", api.server.origin)]),
    );
    const answer = await api.call("POST", "/webhook-endpoints", { ...as("admin", sent), ...mutation });
    expect(answer.status).toBe(status);
  });
});
