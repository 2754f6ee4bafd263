import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Role } from "#contracts/scopes.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { verifyAudit } from "#server/audit/verify-audit.ts";
import type { Answer, TestApi } from "./test-support.ts";
import {
  addTwoFactor,
  findTestStaff,
  openStaffApi,
  restorePasswords,
  testCode,
} from "./testing/staff-api.ts";

const PASSWORD = "correct horse battery staple";
let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());
beforeEach(() => restorePasswords(api));

const slugOf = (answer: Answer) => [answer.status, answer.json?.type?.split("/").at(-1)];
const pointersOf = ({ json }: Answer) => json.errors?.map((error: { pointer: string }) => error.pointer);
const call = (role: Role, method: string, path: string, json?: object) =>
  api.call(method, path, {
    key: null,
    headers: { cookie: `role=${role}`, "sec-fetch-site": "same-origin" },
    ...(json ? { json } : {}),
  });
const idOf = (role: Role) => findTestStaff(`role=${role}`)?.userId ?? "";
const notes = (target: string) =>
  api.services.db.query<{ action: string; actor: string; before: unknown; after: unknown }>(
    "select action, actor, before, after from audit_log where tenant_id = $1 and target = $2 order by number",
    [INSTALLATION, target],
  );

describe("setting two-factor up", () => {
  it("changes nothing before a first code, and shows secret and backup codes once", async () => {
    const begun = await call("viewer", "POST", "/account/two-factor");
    expect(begun.json.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(begun.json.otpauth_uri).toContain(`secret=${begun.json.secret}`);
    expect((await call("viewer", "GET", "/account/second-factors")).json).toMatchObject({
      two_factor: false,
    });
    const wrong = await call("viewer", "POST", "/account/two-factor/confirmation", { code: "000000" });
    expect([wrong.status, pointersOf(wrong)]).toEqual([422, ["#/code"]]);

    await addTwoFactor(api, idOf("viewer"), false);
    const code = testCode();
    const done = await call("viewer", "POST", "/account/two-factor/confirmation", { code });
    expect(new Set(done.json.backup_codes).size).toBe(10);
    const after = await call("viewer", "GET", "/account/second-factors");
    expect(after.json).toMatchObject({ two_factor: true, backup_codes_left: 10, passkeys: [] });
    // The code of the set-up counts no second time.
    expect(
      (await call("viewer", "PUT", "/account/reauthentication", { password: PASSWORD, code })).status,
    ).toBe(422);
    expect(slugOf(await call("viewer", "POST", "/account/two-factor"))).toEqual([409, "state-conflict"]);

    const renewed = await call("viewer", "POST", "/account/two-factor/backup-codes");
    const told = after.text + JSON.stringify(await notes("viewer@example.com"));
    for (const secret of [begun.json.secret, ...done.json.backup_codes, ...renewed.json.backup_codes])
      expect(told).not.toContain(secret);
    const [old] = done.json.backup_codes;
    const [fresh] = renewed.json.backup_codes;
    const prove = (given: string) =>
      call("viewer", "PUT", "/account/reauthentication", { password: PASSWORD, code: given });
    expect([(await prove(old)).status, (await prove(fresh)).status, (await prove(fresh)).status]).toEqual([
      422, 204, 422,
    ]);
    expect(await verifyAudit(api.services.db, INSTALLATION)).toBeNull();
  });
});

describe("proving oneself with two-factor on", () => {
  beforeEach(() => addTwoFactor(api, idOf("support"), true));
  const prove = (json: object) => call("support", "PUT", "/account/reauthentication", json);

  it("needs password and code", async () => {
    expect(pointersOf(await prove({ password: PASSWORD }))).toEqual(["#/code"]);
    expect(pointersOf(await prove({ password: "wrong", code: testCode() }))).toEqual(["#/password"]);
    expect((await prove({ password: PASSWORD, code: testCode() })).status).toBe(204);
    expect(pointersOf(await prove({ password: PASSWORD, code: testCode() }))).toEqual(["#/code"]);
  });

  it("is no place to guess codes: ten wrong ones, then nothing counts for a while", async () => {
    for (let tries = 0; tries < 10; tries++)
      expect((await prove({ password: PASSWORD, code: "000000" })).status).toBe(422);
    expect(slugOf(await prove({ password: PASSWORD, code: testCode() }))).toEqual([429, "rate-limited"]);
  });

  it("is not done by changing the password, which needs no code", async () => {
    const { db } = api.services;
    const session = `session-${idOf("support")}`;
    await db.query(
      `insert into staff_sessions (id, token, user_id, expires_at, confirmed_at)
       values ($1, $1, $2, now() + interval '1 hour', now() - interval '1 hour')`,
      [session, idOf("support")],
    );
    const json = { current_password: PASSWORD, new_password: "another horse battery staple" };
    expect((await call("support", "PUT", "/account/password", json)).status).toBe(204);
    const [row] = await db.query<{ lately: boolean }>(
      "select confirmed_at > now() - interval '5 minutes' as lately from staff_sessions where id = $1",
      [session],
    );
    expect(row?.lately).toBe(false);
  });
});

describe("an admin", () => {
  it("resets somebody’s second factors and ends their sessions, and not their own", async () => {
    const { db } = api.services;
    await addTwoFactor(api, idOf("operator"), true);
    await db.query(
      "insert into staff_sessions (id, token, user_id, expires_at) values ('s', 's', $1, now() + interval '1 hour')",
      [idOf("operator")],
    );
    await db.query(
      `insert into staff_passkeys (id, user_id, name, credential_id, public_key, counter, device_type, backed_up)
       values ('p', $1, 'Phone', 'p', '', 0, 'x', false)`,
      [idOf("operator")],
    );
    const path = `/staff/usr_${idOf("operator")}`;
    expect((await call("admin", "GET", path)).json).toMatchObject({ two_factor: true, passkeys: 1 });

    const reset = await call("admin", "POST", `${path}/reset-second-factors`);
    expect(reset.json).toMatchObject({ two_factor: false, passkeys: 0, sessions: 0, state: "active" });
    expect((await notes("operator@example.com")).at(-1)).toEqual({
      action: "staff.reset_second_factors",
      actor: "admin@example.com",
      before: { two_factor: true, passkeys: 1 },
      after: { two_factor: false, passkeys: 0, ended_sessions: 1 },
    });
    const own = await call("admin", "POST", `/staff/usr_${idOf("admin")}/reset-second-factors`);
    expect(slugOf(own)).toEqual([403, "forbidden"]);
  });
});

it("lets nobody touch a passkey of somebody else", async () => {
  const id = "01991f6e-4c2a-7000-8000-0000000000aa";
  await api.services.db.query(
    `insert into staff_passkeys (id, user_id, name, credential_id, public_key, counter, device_type, backed_up)
     values ($1, $2, 'Phone', 'q', '', 0, 'x', false)`,
    [id, idOf("admin")],
  );
  const path = `/account/passkeys/pky_${id}`;
  expect((await call("viewer", "DELETE", path)).status).toBe(404);
  expect((await call("viewer", "PATCH", path, { name: "Mine" })).status).toBe(404);
  expect((await call("admin", "PATCH", path, { name: "Mine" })).json).toMatchObject({
    name: "Mine",
    last_used_at: null,
  });
});
