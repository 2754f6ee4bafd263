import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAuditRows } from "#db/queries/audit.ts";
import { listStaff } from "#db/queries/staff.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { verifyAudit } from "#server/audit/verify-audit.ts";
import { createKeyring, newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import { createLogger } from "#server/log/logger.ts";
import { type Auth, createAuth } from "#server/staff/auth.ts";
import { findStaff } from "#server/staff/find-staff.ts";
import { openTestCli, SLOW, type TestCli } from "./test-support.ts";

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

describe("users", SLOW, () => {
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
