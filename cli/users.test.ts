import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAuditRows } from "#db/queries/audit.ts";
import { listStaff } from "#db/queries/staff.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { verifyAudit } from "#server/audit/verify-audit.ts";
import { createKeyring, newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import { createLogger } from "#server/log/logger.ts";
import { type Auth, createAuth } from "#server/staff/auth.ts";
import { findStaff } from "#server/staff/find-staff.ts";
import { openTestCli, type TestCli } from "./test-support.ts";

const ORIGIN = "http://127.0.0.1:3000";

let cli: TestCli;
let auth: Auth;
beforeAll(async () => {
  cli = await openTestCli();
  const log = createLogger({ name: "cli-test", level: "silent" });
  auth = createAuth({
    db: cli.db,
    origin: ORIGIN,
    keyring: createKeyring(parseRootKeys(newRootKey("k1"))),
    log,
  });
});
afterAll(() => cli.close());

/** The session cookie of a sign-in; nothing when it was refused. */
async function signIn(email: string, password: string): Promise<string | undefined> {
  const request = new Request(`${ORIGIN}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: ORIGIN },
    body: JSON.stringify({ email, password }),
  });
  const answer = await auth.handler(request);
  return answer.ok ? answer.headers.getSetCookie()[0]?.split(";")[0] : undefined;
}

describe("users", () => {
  it("makes a user who can sign in with the password that is printed, alone", async () => {
    const password = await cli.made(
      "users",
      "create",
      "Ada@Example.com",
      "--role",
      "operator",
      "--name",
      "Ada",
    );
    expect(password).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    const cookie = await signIn("ada@example.com", password);
    expect(await findStaff(auth, cookie)).toMatchObject({ email: "ada@example.com", role: "operator" });
    expect(JSON.parse(await cli.made("users", "list", "--json"))).toEqual([
      {
        email: "ada@example.com",
        role: "operator",
        disabled: false,
        created_at: expect.stringMatching(/Z$/),
        name: "Ada",
      },
    ]);
  });

  it("ends the old password and all sessions when it resets a password, and notes it without a password", async () => {
    const old = await cli.made("users", "create", "bob@example.com", "--role", "viewer");
    const cookies = [await signIn("bob@example.com", old), await signIn("bob@example.com", old)];
    const reset = await cli.run("users", "reset-password", "BOB@example.com");
    expect(reset.stderr).toContain("ended 2 sessions");
    for (const cookie of cookies) {
      expect(cookie).toBeDefined();
      expect(await findStaff(auth, cookie)).toBeNull();
    }
    const password = reset.stdout.trim();
    expect(await signIn("bob@example.com", old)).toBeUndefined();
    const cookie = await signIn("bob@example.com", password);
    expect(await findStaff(auth, cookie)).toMatchObject({ email: "bob@example.com", role: "viewer" });

    const notes = (await listAuditRows(cli.db, INSTALLATION)).filter(
      (row) => row.target === "bob@example.com",
    );
    expect(notes).toMatchObject([
      { actor: "cli", action: "staff.create", after: { role: "viewer" } },
      { actor: "cli", action: "staff.reset_password", after: { ended_sessions: 2 } },
    ]);
    for (const secret of [old, password]) expect(JSON.stringify(notes)).not.toContain(secret);
    expect(await verifyAudit(cli.db, INSTALLATION)).toBeNull();
  });

  it("forgets app, codes and passkeys of whoever has lost them, and ends all sessions", async () => {
    const password = await cli.made("users", "create", "di@example.com", "--role", "viewer");
    const cookie = await signIn("di@example.com", password);
    await cli.db.query(
      `insert into staff_two_factors (id, user_id, secret, backup_codes, verified)
       select id, id, 'v1.k1.a.b.c', '{}', true from staff_users where email = 'di@example.com'`,
    );
    await cli.db.query("update staff_users set two_factor_enabled = true where email = 'di@example.com'");
    const reset = await cli.run("users", "reset-two-factor", "DI@example.com");
    expect(reset).toMatchObject({ code: 0, stdout: "" });
    expect(reset.stderr).toContain("The password alone lets in now; ended 1 sessions of di@example.com.");
    expect(await findStaff(auth, cookie)).toBeNull();
    expect(await signIn("di@example.com", password)).toMatch(/session_token=/);
    const note = (await listAuditRows(cli.db, INSTALLATION)).find(
      (row) => row.action === "staff.reset_second_factors",
    );
    expect(note).toMatchObject({
      actor: "cli",
      target: "di@example.com",
      before: { two_factor: true, passkeys: 0 },
    });
    await cli.refused(["users", "reset-two-factor", "eve@example.com"], /There is no user eve@example.com/);
  });

  it("leaves the sessions of others alone", async () => {
    const password = await cli.made("users", "create", "cy@example.com", "--role", "admin");
    const cookie = await signIn("cy@example.com", password);
    await cli.made("users", "reset-password", "ada@example.com");
    expect(await findStaff(auth, cookie)).toMatchObject({ email: "cy@example.com" });
  });

  it("refuses a taken e-mail, an unknown role and an unknown user, and changes nothing", async () => {
    const state = () => Promise.all([listStaff(cli.db), listAuditRows(cli.db, INSTALLATION)]);
    const before = await state();
    await cli.refused(
      ["users", "create", "ADA@example.com", "--role", "admin"],
      /There is a user ada@example.com already/,
    );
    await cli.refused(["users", "create", "eve@example.com", "--role", "root"], /Roles are viewer, support,/);
    await cli.refused(["users", "reset-password", "eve@example.com"], /There is no user eve@example.com/);
    expect(await state()).toEqual(before);
  });
});
