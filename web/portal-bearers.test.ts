import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { API_KEY_SCOPES, ROLES, type Role } from "#contracts/scopes.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { ENDPOINT, KIM, portalLinks, slugOf, tokenOf } from "./testing/portal-links.ts";
import { staffOf } from "./testing/staff-api.ts";

let api: TestApi;
let confirmedAt: Date | undefined;
beforeAll(async () => {
  api = await openTestApi({
    findStaff: async (role) => ({ ...staffOf(role as Role), confirmedAt: confirmedAt ?? new Date() }),
  });
});
afterAll(() => api.close());

const { create, lastNote, statusWith } = portalLinks(() => api);

describe("who makes a link", () => {
  it("gives no scope that is not theirs", async () => {
    const writer = await api.addKey(api.tenant.id, ["portal-links:write"]);
    expect(slugOf(await create(KIM, writer))).toEqual([403, "forbidden"]);
    const viewer = await api.addKey(api.tenant.id, [
      ...(["portal-links:write", "webhooks:read", "deliveries:read", "events:read"] as const),
    ]);
    expect((await create(KIM, viewer)).status).toBe(201);
    for (const [access, scope] of [
      ["endpoints", "webhooks:write"],
      ["secrets", "secrets:rotate"],
      ["replay", "deliveries:replay"],
    ]) {
      const refused = await create({ ...KIM, access: [access] }, viewer);
      expect([...slugOf(refused), refused.json.detail]).toEqual([
        ...[403, "forbidden"],
        `A link cannot be given scopes that its maker does not hold: ${scope}.`,
      ]);
    }
    const all = await api.addKey(
      api.tenant.id,
      API_KEY_SCOPES.filter((scope) => scope !== "portal-links:write"),
    );
    expect(slugOf(await create(KIM, all))).toEqual([403, "forbidden"]);
  });

  it("is an operator or an admin who has signed in of late", async () => {
    const json = { ...KIM, access: ["endpoints", "secrets", "replay"] };
    const tenant = toId("tenant", api.tenant.id);
    const as = (role: Role) => ({
      key: null,
      headers: { cookie: role, "posthorn-tenant": tenant, "sec-fetch-site": "same-origin" },
      json,
    });
    const statuses = [];
    for (const role of ROLES) statuses.push((await api.call("POST", "/portal-links", as(role))).status);
    expect(statuses).toEqual([403, 403, 201, 201]);
    expect(await lastNote()).toMatchObject({ actor: "admin@example.com", role: "admin" });
    const listed = await api.call("GET", "/portal-links?limit=1", { ...as("viewer"), json: undefined });
    expect(listed.json.items[0].created_by).toBe("admin@example.com");
    confirmedAt = new Date(Date.now() - 11 * 60_000);
    const late = await api.call("POST", "/portal-links", as("admin"));
    confirmedAt = undefined;
    expect(slugOf(late)).toEqual([403, "reauthentication-required"]);
  });
});

it("a link's bearer is answerable for what they change, as the link", async () => {
  const { id, url } = (await create({ ...KIM, access: ["endpoints", "secrets", "replay"] })).json;
  const key = tokenOf({ url });
  const endpoint = await api.call("POST", "/webhook-endpoints", { key, json: ENDPOINT });
  expect([endpoint.status, endpoint.json.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  expect(await lastNote()).toMatchObject({ actor: id, role: "portal_link", target: endpoint.json.id });
  const rotated = await api.call("POST", `/webhook-endpoints/${endpoint.json.id}/secret-rotations`, { key });
  expect(rotated.status).toBe(201);
  const note = await lastNote();
  expect(note).toMatchObject({ actor: id, role: "portal_link" });
  expect(JSON.stringify(note)).not.toContain("whsec_");
  expect((await api.call("POST", `/webhook-endpoints/${endpoint.json.id}/test-events`, { key })).status).toBe(
    202,
  );
});

it("a link of a tenant is a wall: its bearer, and other tenants, reach nothing across it", async () => {
  const other = await api.addTenant();
  const foreign = (await api.call("POST", "/webhook-endpoints", { key: other.key, json: ENDPOINT })).json;
  const { id, url } = (await create({ ...KIM, access: ["endpoints", "secrets", "replay"] })).json;
  const headers = { "posthorn-tenant": toId("tenant", other.id) };
  const key = tokenOf({ url });
  const read = await api.call("GET", `/webhook-endpoints/${foreign.id}`, { key, headers });
  expect(slugOf(read)).toEqual([404, "not-found"]);
  expect(slugOf(await api.call("GET", `/portal-links/${id}`, { key: other.key }))).toEqual([
    404,
    "not-found",
  ]);
  expect(slugOf(await api.call("DELETE", `/portal-links/${id}`, { key: other.key }))).toEqual([
    404,
    "not-found",
  ]);
  expect(await statusWith(key)).toBe(200);
});

it("the calls of a link's bearer count against a limit of their own, as those of each key do", async () => {
  const tenant = await api.addTenant();
  await api.services.db.query("update tenants set request_rate = 2 where id = $1", [tenant.id]);
  const key = tokenOf((await create(KIM, tenant.key)).json);
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await api.call("GET", "/portal", { key })).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await api.call("GET", "/portal-links", { key: tenant.key })).status).toBe(200);
});
