import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "#contracts/scopes.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { verifyAudit } from "#server/audit/verify-audit.ts";
import { type Answer, type CallOptions, openTestApi, type TestApi } from "./test-support.ts";
import { findTestStaff, openStaffApi, restorePasswords, staffOf } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());

const slugOf = (answer: Answer) => [answer.status, answer.json?.type?.split("/").at(-1)];
const as = (role: string, options: CallOptions = {}): CallOptions => ({
  key: null,
  ...options,
  headers: { cookie: `role=${role}`, "sec-fetch-site": "same-origin", ...options.headers },
});
const own = (role: Role) => `usr_${findTestStaff(`role=${role}`)?.userId}`;
let invited = 0;
const invite = async (role: Role = "support") => {
  const json = { email: `Kim.${++invited}@Example.com`, name: "Kim", role };
  return (await api.call("POST", "/staff", as("admin", { json }))).json;
};
const notes = (target: string) =>
  api.services.db.query<{ action: string; before: unknown; after: unknown }>(
    "select action, before, after from audit_log where tenant_id = $1 and target = $2 order by number",
    [INSTALLATION, target],
  );

describe("an invitation", () => {
  it("makes somebody who has no password yet, and shows the link once", async () => {
    const made = await invite();
    expect(made).toMatchObject({ email: "kim.1@example.com", role: "support", state: "invited" });
    expect(made.sign_in_link).toMatch(
      /^http:\/\/[^?#]+\/invitation#token=[\w-]{32}&email=kim\.1%40example\.com$/,
    );
    const read = await api.call("GET", `/staff/${made.id}`, as("admin"));
    expect(read.text).not.toContain("token");
    const stored = await api.services.db.query("select * from staff_verifications");
    const [, token = ""] = /token=([\w-]+)/.exec(made.sign_in_link) ?? [];
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(JSON.stringify(await notes(made.email))).not.toContain(token);
  });

  it("is refused for an e-mail that somebody has", async () => {
    const json = { email: "ADMIN@example.com", name: "x", role: "viewer" };
    expect(slugOf(await api.call("POST", "/staff", as("admin", { json })))).toEqual([409, "state-conflict"]);
  });
});

describe("roles and access", () => {
  it("are changed by others only", async () => {
    const json = { role: "viewer" };
    expect(slugOf(await api.call("PATCH", `/staff/${own("admin")}`, as("admin", { json })))).toEqual([
      403,
      "forbidden",
    ]);
    expect(slugOf(await api.call("POST", `/staff/${own("admin")}/disable`, as("admin")))).toEqual([
      403,
      "forbidden",
    ]);
    expect(slugOf(await api.call("POST", `/staff/${own("admin")}/reset`, as("admin")))).toEqual([
      403,
      "forbidden",
    ]);
    const renamed = await api.call("PATCH", `/staff/${own("admin")}`, as("admin", { json: { name: "Me" } }));
    expect([renamed.status, renamed.json.name]).toEqual([200, "Me"]);
  });

  it("leave one admin at least who can sign in, whoever asks and however many at once", async () => {
    // An admin who was invited and has no password is none yet.
    await invite("admin");
    const target = `/staff/${own("admin")}`;
    const by = as("admin.other", { json: { role: "viewer" } });
    expect(slugOf(await api.call("PATCH", target, by))).toEqual([409, "state-conflict"]);
    expect(slugOf(await api.call("POST", `${target}/disable`, as("admin.other")))).toEqual([
      409,
      "state-conflict",
    ]);
    await api.services.db.query("update staff_users set role = 'admin' where id = $1", [
      own("operator").slice(4),
    ]);
    const both = await Promise.all(
      [target, `/staff/${own("operator")}`].map((path) =>
        api.call("POST", `${path}/disable`, as("admin.other")),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await api.services.db.query("update staff_users set banned = false");
    await api.services.db.query("update staff_users set role = 'operator' where id = $1", [
      own("operator").slice(4),
    ]);
  });

  it("are taken at once: sessions and links end, and it is noted", async () => {
    const { id, email } = await invite();
    await api.services.db.query(
      "insert into staff_sessions (id, token, user_id, expires_at) values (uuidv7(), uuidv7(), $1, now() + interval '1 hour')",
      [id.slice(4)],
    );
    expect((await api.call("GET", `/staff/${id}/sessions`, as("admin"))).json.items).toHaveLength(1);
    const off = await api.call("POST", `/staff/${id}/disable`, as("admin"));
    expect(off.json).toMatchObject({ state: "disabled", sessions: 0, link_expires_at: null });
    expect(slugOf(await api.call("POST", `/staff/${id}/reset`, as("admin")))).toEqual([
      409,
      "state-conflict",
    ]);
    await api.call("POST", `/staff/${id}/enable`, as("admin"));
    await api.call("PATCH", `/staff/${id}`, as("admin", { json: { role: "operator" } }));
    expect((await notes(email)).map(({ action }) => action)).toEqual([
      "staff.invite",
      "staff.disable",
      "staff.enable",
      "staff.change",
    ]);
    expect(await verifyAudit(api.services.db, INSTALLATION)).toBeNull();
  });
});

describe("a password given long ago", () => {
  it("is asked for again before what it guards is done, and is enough then", async () => {
    const now = new Date();
    const old = await openTestApi({
      findStaff: async () => ({
        ...staffOf("admin"),
        confirmedAt: new Date(now.getTime() - 10 * 60_000 - 1),
      }),
      now: () => now,
    });
    try {
      const json = { email: "a@example.com", name: "A", role: "viewer" };
      expect(slugOf(await old.call("POST", "/staff", as("admin", { json })))).toEqual([
        403,
        "reauthentication-required",
      ]);
      expect((await old.call("GET", "/staff", as("admin"))).status).toBe(200);
    } finally {
      await old.close();
    }
  });

  it("is no place to guess it: after ten wrong ones within a session nothing counts for a while", async () => {
    await restorePasswords(api);
    const give = (role: string, password: string) =>
      api.call("PUT", "/account/reauthentication", as(role, { json: { password } }));
    for (let tries = 0; tries < 10; tries++) expect((await give("viewer", "wrong")).status).toBe(422);
    expect(slugOf(await give("viewer", "correct horse battery staple"))).toEqual([429, "rate-limited"]);
    expect((await give("support", "correct horse battery staple")).status).toBe(204);
  });
});

describe("the audit log", () => {
  it("is narrowed by who, what, to what, whose and when", async () => {
    const { email } = await invite();
    const read = async (query: Record<string, string>) =>
      (await api.call("GET", `/audit-log?${new URLSearchParams(query)}`, as("admin"))).json.items;
    expect(await read({ target: email })).toMatchObject([
      { action: "staff.invite", tenant_id: null, actor: "admin@example.com", role: "admin", before: null },
    ]);
    expect((await read({ action: "staff", target: email })).length).toBe(1);
    expect(await read({ action: "sta", target: email })).toEqual([]);
    expect(await read({ chain: `ten_${api.tenant.id}`, target: email })).toEqual([]);
    expect((await read({ chain: "installation", target: email })).length).toBe(1);
    expect(await read({ target: email, to: "2020-01-01T00:00:00Z" })).toEqual([]);
  });

  it("tells which entry of which chain was changed", async () => {
    const verify = async () => (await api.call("GET", "/audit-log/verification", as("admin"))).json;
    expect(await verify()).toMatchObject({ intact: true, broken: [] });
    // As somebody could who owns the database.
    await api.services.db.query("alter table audit_log disable trigger audit_log_append_only");
    await api.services.db.query(
      "update audit_log set actor = 'mallory' where tenant_id = $1 and number = 2",
      [INSTALLATION],
    );
    expect(await verify()).toMatchObject({ intact: false, broken: [{ tenant_id: null, number: 2 }] });
  });
});
