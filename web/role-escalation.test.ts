import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROLES, type Role } from "#contracts/scopes.ts";
import type { CallOptions, TestApi } from "./test-support.ts";
import { findTestStaff, openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());

const as = (role: string, options: CallOptions = {}): CallOptions => ({
  key: null,
  ...options,
  headers: {
    cookie: `role=${role}`,
    "sec-fetch-site": "same-origin",
    "posthorn-tenant": `ten_${api.tenant.id}`,
    ...options.headers,
  },
});
const idOf = (role: Role) => `usr_${findTestStaff(`role=${role}`)?.userId}`;
const rolesNow = async () =>
  Object.fromEntries(
    (await api.services.db.query<{ name: string; role: string }>("select name, role from staff_users")).map(
      ({ name, role }) => [name, role],
    ),
  );
const asJson = { "content-type": "application/json" };

/** Ways to a higher role that somebody might try, beyond each call of the table of roles.test.ts. */
const climbs = (role: Role): [name: string, method: string, path: string, options: CallOptions][] => [
  ["one's own role", "PATCH", `/staff/${idOf(role)}`, { json: { role: "admin" } }],
  ["an admin's password, by a link", "POST", `/staff/${idOf("admin")}/reset`, {}],
  ["a friend who is an admin", "POST", "/staff", { json: { email: "f@x.com", name: "F", role: "admin" } }],
  ["a friend who is a viewer", "POST", "/staff", { json: { email: "f@x.com", name: "F", role: "viewer" } }],
  ["a key with every scope", "POST", "/api-keys", { json: { name: "k", scopes: ["keys:manage"] } }],
];

describe.each(ROLES.filter((role) => role !== "admin"))("a %s", (role) => {
  it.each(climbs(role))("is not given %s", async (_name, method, path, options) => {
    const before = await rolesNow();
    const keys = await api.services.db.query("select count(*) from api_keys");
    expect((await api.call(method, path, as(role, options))).status).toBe(403);
    expect(await rolesNow()).toEqual(before);
    expect(await api.services.db.query("select count(*) from api_keys")).toEqual(keys);
  });

  it("is not taken for somebody else by a second cookie, or by a role in the query", async () => {
    for (const cookie of [`role=${role}; role=admin`, `role=admin; role=${role}`, `role=${role},role=admin`])
      expect((await api.call("GET", "/staff", as(role, { headers: { cookie } }))).status).not.toBe(200);
    const asked = await api.call("GET", "/staff?role=admin", as(role));
    expect(asked.status).toBe(403);
  });
});

describe("a role that is given", () => {
  it.each([
    ["in another case", '{"role":"Admin"}'],
    ["as a list", '{"role":["admin"]}'],
    ["as several", '{"role":"viewer,admin"}'],
    ["with a blank", '{"role":"admin "}'],
    ["by the prototype", '{"__proto__":{"role":"admin"}}'],
    ["by the constructor", '{"constructor":{"prototype":{"role":"admin"}}}'],
    ["under another name", '{"name":"x","roles":["admin"],"scopes":["staff:manage"],"is_admin":true}'],
    ["as a scope", '{"role":"staff:manage"}'],
  ])("%s is refused", async (_name, body) => {
    const before = await rolesNow();
    const answer = await api.call(
      "PATCH",
      `/staff/${idOf("viewer")}`,
      as("admin", { body, headers: asJson }),
    );
    expect([400, 422]).toContain(answer.status);
    expect(await rolesNow()).toEqual(before);
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  it("with one's own password changes nothing but that", async () => {
    const json = {
      current_password: "correct horse battery staple",
      new_password: "another horse battery staple",
      role: "admin",
    };
    const answer = await api.call("PUT", "/account/password", as("viewer", { json }));
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, "#/role"]);
    expect((await rolesNow()).viewer).toBe("viewer");
  });
});

describe("an admin", () => {
  it("cannot give up being one while nobody else is", async () => {
    for (const json of [{ role: "viewer" }, { role: "operator", name: "x" }]) {
      const path = `/staff/${idOf("admin")}`;
      expect((await api.call("PATCH", path, as("admin", { json }))).status).toBe(403);
    }
    expect((await rolesNow()).admin).toBe("admin");
  });

  it("gives no key what is for staff alone", async () => {
    for (const scope of ["staff:manage", "audit:read", "admin", "*"]) {
      const json = { name: "k", scopes: [scope] };
      expect((await api.call("POST", "/api-keys", as("admin", { json }))).status, scope).toBe(422);
    }
  });

  it("reaches no other tenant by a path, a body or a header that says two", async () => {
    const other = await api.addTenant();
    const twice = `ten_${api.tenant.id}, ten_${other.id}`;
    const answer = await api.call("GET", "/orders", as("admin", { headers: { "posthorn-tenant": twice } }));
    expect(answer.status).toBe(400);
    const json = { name: "k", scopes: ["orders:read"], tenant_id: `ten_${other.id}` };
    expect((await api.call("POST", "/api-keys", as("admin", { json }))).status).toBe(422);
  });
});
