import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import {
  codeIn,
  codeOf,
  cookiesOf,
  ORIGIN,
  openTestSignIn,
  PASSWORD,
  type TestSignIn,
  wrongFor,
} from "./testing-sign-in.ts";

let database: TestDatabase;
let at: TestSignIn;
beforeAll(async () => {
  database = await createTestDatabase();
  at = await openTestSignIn(database.url);
});
afterAll(async () => {
  await at?.close();
  await database?.drop();
});
beforeEach(() => at.forgetRates());

describe("guessing codes", () => {
  it("ends the sign-in after ten wrong ones, then makes this address wait", async () => {
    const kim = await at.person();
    const { cookie } = await at.begin(kim);
    const answers = [];
    for (let tries = 0; tries < 10; tries++) {
      await at.forgetRates();
      answers.push((await codeIn(await at.give(cookie, wrongFor(kim))))[1]);
    }
    expect(answers).toEqual([...Array(9).fill("WRONG_CODE"), "SIGN_IN_OVER"]);
    await at.forgetRates();
    expect(await codeIn(await at.give(cookie, codeOf(kim)))).toEqual([401, "SIGN_IN_OVER"]);

    const next = (await at.begin(kim)).cookie;
    const locked = await at.give(next, codeOf(kim));
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get("x-retry-after"))).toBeGreaterThan(50);
    expect(await at.sessions(kim)).toEqual([]);
  });

  it("keeps nobody out elsewhere: the owner signs in from another address meanwhile", async () => {
    const kim = await at.person();
    const from = async (address: string, path: string, body: object, cookie = "") => {
      await at.forgetRates();
      const headers = {
        "content-type": "application/json",
        origin: ORIGIN,
        cookie,
        "posthorn-client-address": address,
      };
      return at.auth.handler(
        new Request(`${ORIGIN}/api/auth${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
      );
    };
    const enter = async (address: string) =>
      cookiesOf(await from(address, "/sign-in/email", { email: kim.email, password: PASSWORD }));
    const guesser = await enter("192.0.2.1");
    for (let tries = 0; tries < 10; tries++)
      await from("192.0.2.1", "/two-factor/verify", { code: wrongFor(kim) }, guesser);
    const stuck = await from(
      "192.0.2.1",
      "/two-factor/verify",
      { code: codeOf(kim) },
      await enter("192.0.2.1"),
    );
    const owner = await from(
      "192.0.2.2",
      "/two-factor/verify",
      { code: codeOf(kim) },
      await enter("192.0.2.2"),
    );

    expect([stuck.status, owner.status]).toEqual([429, 200]);
  });

  it("is slow: ten codes a minute and address", async () => {
    const { cookie } = await at.begin(await at.person());
    const statuses = [];
    for (let tries = 0; tries < 11; tries++)
      statuses.push((await at.give(cookie.replace(/.$/, ""), "000000")).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });
});
