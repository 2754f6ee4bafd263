import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { findStaff } from "./find-staff.ts";
import { resetPassword } from "./reset-password.ts";
import { makeSignInLink } from "./sign-in-link.ts";
import { codeIn, codeOf, cookiesOf, ORIGIN, openTestSignIn, type TestSignIn } from "./testing-sign-in.ts";

const lines: string[] = [];
let database: TestDatabase;
let at: TestSignIn;
beforeAll(async () => {
  database = await createTestDatabase();
  at = await openTestSignIn(database.url, lines);
});
afterAll(async () => {
  await at?.close();
  await database?.drop();
});
beforeEach(() => at.forgetRates());

describe("a password where two-factor is on", () => {
  it("begins no session: there is none until the code, neither a cookie nor a row", async () => {
    const kim = await at.person();
    const { answer, cookie } = await at.begin(kim);

    expect([answer.status, (await answer.json()).twoFactorRedirect]).toEqual([200, true]);
    expect(cookie).toMatch(/^__Host-posthorn\.two_factor=[^;]+$/);
    expect(cookie).not.toContain("session_token");
    expect(await findStaff(at.auth, cookie)).toBeNull();
    expect(await at.sessions(kim)).toEqual([]);
    const own = await fetch(`${at.base}/get-session`, { headers: { cookie } });
    expect(await own.json()).toBeNull();

    const done = await at.give(cookie, codeOf(kim));
    expect([done.status, await done.json()]).toEqual([200, { status: true }]);
    expect(await findStaff(at.auth, cookiesOf(done))).toMatchObject({ email: kim.email });
    expect(await at.sessions(kim)).toHaveLength(1);
  });

  it("is still asked for first: a code alone is nothing", async () => {
    const kim = await at.person();
    expect(await codeIn(await at.give("a=b", codeOf(kim)))).toEqual([401, "SIGN_IN_OVER"]);
    expect((await at.begin(kim, "not the password")).answer.status).toBe(401);
  });

  it("is no way around the code once it was set by a link, nor do sign-ins from before go on", async () => {
    const kim = await at.person();
    const before = await at.begin(kim);
    const link = await withTransaction(at.db, (tx) =>
      makeSignInLink(tx, { ...kim, origin: ORIGIN, now: new Date() }),
    );
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token");
    const set = await at.post("/reset-password", { token, newPassword: "another horse battery staple" });

    expect([set.status, cookiesOf(set)]).toEqual([200, ""]);
    expect(await codeIn(await at.give(before.cookie, codeOf(kim)))).toEqual([401, "SIGN_IN_OVER"]);
    const after = await at.begin(kim, "another horse battery staple");
    expect(after.cookie).not.toContain("session_token");
    expect(await at.sessions(kim)).toEqual([]);
  });

  it("nor once it was reset on the command line", async () => {
    const kim = await at.person();
    const before = await at.begin(kim);
    const other = await hashPassword("another horse battery staple");
    await withTransaction(at.db, (tx) => resetPassword(tx, { ...kim, passwordHash: other, now: new Date() }));

    expect(await codeIn(await at.give(before.cookie, codeOf(kim)))).toEqual([401, "SIGN_IN_OVER"]);
    expect((await at.begin(kim, "another horse battery staple")).cookie).not.toContain("session_token");
  });
});

describe("a code", () => {
  it("counts once, also with another password given, and none before it does", async () => {
    const kim = await at.person();
    const code = codeOf(kim);
    expect((await at.give((await at.begin(kim)).cookie, code)).status).toBe(200);
    const again = (await at.begin(kim)).cookie;

    expect(await codeIn(await at.give(again, code))).toEqual([401, "WRONG_CODE"]);
    expect(await codeIn(await at.give(again, codeOf(kim, -1)))).toEqual([401, "WRONG_CODE"]);
    expect((await at.give(again, codeOf(kim, 1))).status).toBe(200);
  });

  it("that two give at once begins one session", async () => {
    const kim = await at.person();
    const { cookie } = await at.begin(kim);
    const both = await Promise.all([at.give(cookie, codeOf(kim)), at.give(cookie, codeOf(kim))]);

    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await at.sessions(kim)).toHaveLength(1);
  });

  it("for backup counts once, however it is spelt, and its use is noted", async () => {
    const kim = await at.person();
    const [first = "", second = ""] = kim.backupCodes;
    expect(kim.backupCodes).toHaveLength(10);
    const typed = ` ${first.toUpperCase().replaceAll("-", " ")} `;
    expect((await at.give((await at.begin(kim)).cookie, typed)).status).toBe(200);
    const again = (await at.begin(kim)).cookie;

    expect(await codeIn(await at.give(again, first))).toEqual([401, "WRONG_CODE"]);
    expect((await at.give(again, second)).status).toBe(200);
    const notes = await at.db.query("select action, after from audit_log where target = $1", [kim.email]);
    expect(notes).toEqual([
      { action: "staff.use_backup_code", after: { backup_codes_left: 9 } },
      { action: "staff.use_backup_code", after: { backup_codes_left: 8 } },
    ]);
    expect(JSON.stringify(notes)).not.toContain(first);
  });

  it("of somebody else does not help", async () => {
    const [kim, lee] = [await at.person(), await at.person()];
    const { cookie } = await at.begin(kim);
    expect(await codeIn(await at.give(cookie, codeOf(lee)))).toEqual([401, "WRONG_CODE"]);
    expect(await codeIn(await at.give(cookie, lee.backupCodes[0] ?? ""))).toEqual([401, "WRONG_CODE"]);
  });

  it("is refused from a page of another origin", async () => {
    const kim = await at.person();
    const { cookie } = await at.begin(kim);
    const answer = await at.post(
      "/two-factor/verify",
      { code: codeOf(kim) },
      { cookie, origin: "https://evil.example" },
    );
    expect(answer.status).toBe(403);
    expect(await at.sessions(kim)).toEqual([]);
  });
});

it("keeps secrets to itself: sealed or as digests in the database, in no answer, and in no log", async () => {
  const kim = await at.person();
  const { answer, cookie } = await at.begin(kim);
  const done = await at.give(cookie, codeOf(kim));
  const session = await fetch(`${at.base}/get-session`, { headers: { cookie: cookiesOf(done) } });
  const rows = await at.db.query("select * from staff_two_factors where user_id = $1", [kim.userId]);
  const told = [
    await answer.text(),
    await done.text(),
    await session.text(),
    JSON.stringify(rows),
    lines.join(""),
  ];
  const secrets = [
    ...kim.backupCodes,
    ...(["base64url", "base64", "hex", "latin1"] as const).map((form) => kim.secret.toString(form)),
  ];
  for (const text of told) for (const secret of secrets) expect(text.includes(secret)).toBe(false);
});
