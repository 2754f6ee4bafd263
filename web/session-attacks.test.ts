import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAuth } from "#server/staff/auth.ts";
import { ensureFirstAdmin } from "#server/staff/create-admin.ts";
import { findStaff } from "#server/staff/find-staff.ts";
import { toNodeHandler } from "#server/staff/node-handler.ts";
import { createWebServer, type WebServer } from "./server.ts";
import { type Answer, openTestApi, type TestApi } from "./test-support.ts";

const ORIGIN = "https://posthorn.example";
const COOKIE = "__Host-posthorn.session_token";
const PASSWORD = "correct horse battery staple";
let api: TestApi;
let server: WebServer;
let admin: { email: string; password: string };
/** The admin's, for what is done on the way. */
let session: string;
beforeAll(async () => {
  api = await openTestApi();
  const { services } = api;
  const { db, keyring, log } = services;
  const auth = createAuth({ db, origin: ORIGIN, keyring, log });
  admin = (await ensureFirstAdmin({ auth, db }, { email: "a@example.com", name: "A" })) ?? admin;
  server = await createWebServer({
    services,
    publicOrigin: ORIGIN,
    staff: () => ({ find: (cookie) => findStaff(auth, cookie), handle: toNodeHandler(auth, ORIGIN) }),
  });
  session = await newSession();
});
afterAll(async () => {
  await server?.close(1_000);
  await api?.close();
});
beforeEach(() => api.services.db.query("delete from staff_rate_limits"));

const OURS = { origin: ORIGIN, "content-type": "application/json" };
/** Sends to the web process as a browser does; what is given replaces what a page of the console would send. */
async function send(method: string, path: string, { headers = {}, json }: Sent = {}): Promise<Answer> {
  const sent = Object.entries({ ...OURS, ...headers }).filter(([, value]) => value !== null);
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: sent as [string, string][],
    ...(json === undefined ? {} : { body: typeof json === "string" ? json : JSON.stringify(json) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") && text !== "";
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}
interface Sent {
  headers?: Record<string, string | null>;
  json?: unknown;
}

const signIn = (who: object = admin, headers: Sent["headers"] = {}, query = "") =>
  send("POST", `/api/auth/sign-in/email${query}`, { json: who, headers });
const tokenOf = ({ headers }: Answer) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .find((cookie) => cookie.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1) ?? "";
const newSession = async (who: object = admin) => tokenOf(await signIn(who));
/** What the API says to the holder of a session. */
const seen = async (token: string, name = COOKIE) =>
  (await send("GET", "/api/v1/tenants", { headers: { cookie: `${name}=${token}` } })).status;
const call = (token: string, method: string, path: string, json?: object) =>
  send(method, `/api/v1${path}`, { headers: { cookie: `${COOKIE}=${token}` }, json });

/** Somebody with a role and a password, through an invitation. */
async function hire(role: string, more: object = {}) {
  const email = `${role}-${crypto.randomUUID()}@example.com`;
  const made = await call(session, "POST", "/staff", { email, name: role, role });
  const token = /token=([\w-]+)/.exec(made.json.sign_in_link)?.[1];
  const set = await send("POST", "/api/auth/reset-password", {
    json: { token, newPassword: PASSWORD, ...more },
  });
  expect([made.status, set.status]).toEqual([201, 200]);
  return { id: made.json.id as string, email, password: PASSWORD };
}

describe("session fixation", () => {
  it("gains nothing: whatever cookie is brought along, signing in begins a session of its own", async () => {
    const mallory = await hire("viewer");
    const planted = [await newSession(mallory), "chosen", "chosen.c2lnbmF0dXJl", "%00", "x".repeat(4_000)];
    for (const token of planted) {
      const before = await seen(token);
      const given = tokenOf(await signIn(admin, { cookie: `${COOKIE}=${token}` }));
      expect(given).not.toBe("");
      expect(decodeURIComponent(given).split(".")[0]).not.toBe(decodeURIComponent(token).split(".")[0]);
      expect(await seen(given)).toBe(200);
      // What was planted has become nobody else's.
      expect(await seen(token)).toBe(before);
    }
    const cookie = `${COOKIE}=${planted[0]}`;
    const own = await send("GET", "/api/auth/get-session", { headers: { cookie } });
    expect(own.json.user.email).toBe(mallory.email);
  });

  it("takes no session from the address, the body or another header", async () => {
    const token = "a-token-that-somebody-chose-beforehand-32";
    const more = { token, sessionToken: token, session_token: token, session: { token }, id: token };
    const headers = { "set-cookie": `${COOKIE}=${token}`, "x-session-token": token, "set-auth-token": token };
    const given = tokenOf(await signIn({ ...admin, ...more }, headers, `?session_token=${token}`));
    expect(given).not.toContain(token);
    const known = await api.services.db.query("select id from staff_sessions where $1 in (token, id::text)", [
      token,
    ]);
    expect(known).toEqual([]);
  });

  it("knows the cookie by the name alone that no other host can set", async () => {
    const names = ["posthorn.session_token", "__Secure-posthorn.session_token", "session_token"];
    expect(await Promise.all(names.map((name) => seen(session, name)))).toEqual([401, 401, 401]);
    expect(await seen(session)).toBe(200);
  });

  it("keeps nothing alive: signing out, another password and a reset end it on the server", async () => {
    const kim = await hire("support");
    const [first, second, third] = [await newSession(kim), await newSession(kim), await newSession(kim)];
    const out = await send("POST", "/api/auth/sign-out", {
      json: {},
      headers: { cookie: `${COOKIE}=${first}` },
    });
    expect(out.headers.getSetCookie().join()).toMatch(new RegExp(`${COOKIE}=;[^,]*Max-Age=0`));
    expect([await seen(first), await seen(second)]).toEqual([401, 200]);

    const changed = { current_password: PASSWORD, new_password: `${PASSWORD}, again` };
    expect((await call(second, "PUT", "/account/password", changed)).status).toBe(204);
    expect([await seen(second), await seen(third)]).toEqual([200, 401]);

    expect((await call(session, "POST", `/staff/${kim.id}/reset`)).status).toBe(201);
    expect(await seen(second)).toBe(401);
  });
});

/** As `FOREIGN` of csrf.test.ts, of sign-in itself. */
const FOREIGN: Record<string, Record<string, string | null>> = {
  "from another site": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  "from a sibling": { origin: "https://evil.posthorn.example", "sec-fetch-site": "same-site" },
  "by an old browser": { origin: "https://evil.example" },
  "from a sandboxed frame": { origin: "null" },
  "from nowhere": { origin: null },
  "with our origin forged beside the browser's word": { "sec-fetch-site": "cross-site" },
  "by a navigation": { origin: null, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
};
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe("signing in, out and setting a password", () => {
  it.each(Object.entries(FOREIGN))("is refused %s, and changes nothing", async (_name, headers) => {
    const cookie = `${COOKIE}=${session}`;
    const path = "/api/auth/reset-password";
    const answers = [
      await signIn(admin, headers),
      await signIn(admin, { ...headers, cookie }),
      await send("POST", "/api/auth/sign-out", { json: {}, headers: { ...headers, cookie } }),
      await send("POST", path, { json: { token: "x", newPassword: PASSWORD }, headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([]);
    expect(await seen(session)).toBe(200);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", null])(
    "takes no body of a form: %s",
    async (type) => {
      const headers = { "content-type": type, "sec-fetch-site": "same-origin" };
      const answers = [
        await send("POST", "/api/auth/sign-in/email", { json: form(admin), headers }),
        await send("POST", "/api/auth/sign-in/email", { json: JSON.stringify(admin), headers }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([415, 415]);
      expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([]);
    },
  );
});

describe("a role", () => {
  it("cannot be had by asking for it when the password is set, or on signing in", async () => {
    const kim = await hire("viewer", { role: "admin", user: { role: "admin" }, banned: false });
    const answer = await signIn({ ...kim, role: "admin", user: { role: "admin" } }, {}, "?role=admin");
    const own = await call(tokenOf(answer), "GET", "/staff");
    expect([own.status, own.json.detail]).toEqual([403, "This needs the scope staff:manage."]);
  });

  it("counts as it is now, in sessions that run too", async () => {
    const lee = await hire("admin");
    const own = await newSession(lee);
    expect((await call(own, "GET", "/staff")).status).toBe(200);
    await call(session, "PATCH", `/staff/${lee.id}`, { role: "viewer" });
    expect((await call(own, "GET", "/staff")).status).toBe(403);
    const back = await call(own, "PATCH", `/staff/${lee.id}`, { role: "admin" });
    expect([back.status, await seen(own)]).toEqual([403, 200]);
    await call(session, "POST", `/staff/${lee.id}/disable`);
    expect(await seen(own)).toBe(401);
    expect((await signIn(lee)).status).toBe(403);
  });
});
