import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { connect } from "#db/client.ts";
import { signingKeyIdentity } from "#server/crypto/identities.ts";
import { parseRootKeys } from "#server/crypto/keyring.ts";
import { createLogger, type Logger } from "#server/log/logger.ts";
import { createWebMetrics } from "#server/metrics/web-metrics.ts";
import { createAuth } from "#server/staff/auth.ts";
import { ensureFirstAdmin } from "#server/staff/create-admin.ts";
import { findStaff } from "#server/staff/find-staff.ts";
import { toNodeHandler } from "#server/staff/node-handler.ts";
import { recordingTracer } from "#server/tracing/testing-tracer.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "#workers/delivery/fixtures/http-receiver.ts";
import { closedPort } from "#workers/delivery/fixtures/receivers.ts";
import { createSender } from "#workers/delivery/sender.ts";
import { DeliveryWorker } from "#workers/delivery/worker.ts";
import { createWebServer, type WebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { spellings } from "./testing/spellings.ts";

const METRICS_TOKEN = `scrape-${randomBytes(16).toString("hex")}`;
const canary = (what: string) => `${what}-${randomBytes(18).toString("base64url")}`;

let api: TestApi;
let log: Logger;
const lines: string[] = [];
beforeAll(async () => {
  api = await openTestApi();
  const destination = { write: (line: string) => void lines.push(line) };
  log = createLogger({ name: "test", level: "trace", destination });
});
afterAll(() => api.close());

const tracer = recordingTracer();
const { spans } = tracer;

async function startWeb(): Promise<WebServer> {
  const services = { ...api.services, log, tracer };
  const { db, keyring } = services;
  const server = await createWebServer({
    services,
    metrics: { metrics: createWebMetrics(services), token: METRICS_TOKEN },
    staff(origin) {
      const auth = createAuth({ db, origin, keyring, log });
      return { find: (cookie) => findStaff(auth, cookie), handle: toNodeHandler(auth, origin) };
    },
    next: ({ url }) => Promise.reject(new Error(`no page at ${url}`)),
  });
  onTestFinished(() => server.close(500));
  return server;
}

async function startWorker(): Promise<void> {
  const { db, boss, keyring, addressPolicy, now, wakeWorkers } = api.services;
  const sender = createSender({ policy: addressPolicy });
  const worker = new DeliveryWorker({
    ...{ db, databaseUrl: api.databaseUrl, boss, keyring, log, tracer, sender, now, wakeWorkers },
    version: "test",
    retryScale: 1e-6,
  });
  await worker.start();
  onTestFinished(() => worker.stop());
}

/** Calls with a key; gives what was answered, and the secrets among it are the caller's to look out for. */
async function call(server: WebServer, key: string, path: string, json?: object) {
  const answer = await fetch(`${server.origin}/api/v1${path}`, {
    method: json ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  return { status: answer.status, json: await answer.json() };
}

it("has no secret of any kind in a log at trace level or in a span, however it is spelt", async () => {
  const server = await startWeb();
  const secrets: Record<string, string | Buffer> = { "metrics token": METRICS_TOKEN };
  for (const { id, bytes } of parseRootKeys(api.encryptionKeys)) secrets[`root key ${id}`] = bytes;
  secrets["root key as set"] = api.encryptionKeys.split(":")[1] ?? "";

  // Staff: a password, a wrong one, a session.
  const auth = createAuth({ db: api.services.db, origin: server.origin, keyring: api.services.keyring, log });
  const admin = await ensureFirstAdmin({ auth, db: api.services.db }, { email: "a@example.com", name: "A" });
  secrets.password = admin?.password ?? "";
  secrets["wrong password"] = canary("wrong");
  const signIn = (password: string | Buffer) =>
    fetch(`${server.origin}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.origin },
      body: JSON.stringify({ email: "a@example.com", password: String(password) }),
    });
  const session = await signIn(secrets.password);
  const [, cookie = ""] = /session_token=([^;]+)/.exec(session.headers.getSetCookie().join("; ")) ?? [];
  secrets["session token"] = decodeURIComponent(cookie).split(".")[0] ?? "";
  await signIn(secrets["wrong password"]);

  // Keys: one that works, one that does not.
  const { key } = api.tenant;
  secrets["API key"] = key.split("_")[3]?.slice(0, 32) ?? "";
  const made = (await call(server, key, "/api-keys", { name: "more", scopes: ["events:read"] })).json;
  secrets["other API key"] = made.key.split("_")[3].slice(0, 32);
  await call(server, made.key.replace(/.$/, "0"), "/events");

  // The portal: its link is the path of a page, here of one that fails, and the bearer of calls in a trace.
  const link = (await call(server, key, "/portal-links", { name: "Kim" })).json;
  const token = String(link.url).split("/").at(-1) ?? "";
  secrets["portal token"] = token.slice("posthorn_portal_".length);
  expect((await fetch(link.url)).status).toBe(500);
  expect((await call(server, token, "/portal")).status).toBe(200);
  expect((await call(server, token, `/${token}`)).status).toBe(404);
  expect((await call(server, token, "/webhook-endpoints", { url: token })).status).toBe(403);

  // Endpoints that take, refuse, hang, are not there, and one that cannot be read.
  const echoing = await openReceiver((request) =>
    request.answer(200, { "x-echo": String(request.headers["x-team"]) }),
  );
  const refusing = await openReceiver((request) => request.answer(400));
  const hanging = await openReceiver(() => {});
  const given = `whsec_${randomBytes(32).toString("base64")}`;
  secrets["header value"] = canary("team");
  secrets["header token"] = canary("token");
  secrets["token in a URL"] = canary("query");
  secrets["published data"] = canary("data");
  const endpoint = async (url: string, more: object = {}) => {
    const { json } = await call(server, key, "/webhook-endpoints", {
      url: `${url}/hook?token=${secrets["token in a URL"]}`,
      event_types: ["*"],
      headers: { "X-Team": secrets["header value"], Authorization: `Bearer ${secrets["header token"]}` },
      asymmetric: true,
      timeout_ms: 1_000,
      ...more,
    });
    for (const form of ["text", "bytes"]) {
      const text = String(json.secret).slice("whsec_".length);
      secrets[`signing secret of ${json.id} (${form})`] =
        form === "text" ? text : Buffer.from(text, "base64");
    }
    return json;
  };
  const first = await endpoint(echoing.origin, { secret: given });
  for (const origin of [refusing.origin, hanging.origin, `http://127.0.0.1:${await closedPort()}`])
    await endpoint(origin);
  const broken = await endpoint(echoing.origin);
  const turned = (await call(server, key, `/webhook-endpoints/${first.id}/secret-rotations`, {})).json;
  secrets["rotated secret"] = turned.secret.slice("whsec_".length);
  const { db, keyring } = api.services;
  const [tenantId, endpointId] = [api.tenant.id, first.id.slice("whe_".length)];
  const [row] = await db.query<{ sealed: string }>(
    "select sealed_signing_key as sealed from webhook_endpoints where id = $1",
    [endpointId],
  );
  const ed25519 = keyring.open(row?.sealed ?? "", signingKeyIdentity(tenantId, endpointId));
  secrets["ed25519 key"] = ed25519.replace(/^whsk_/, "");
  await db.query("update endpoint_secrets set sealed = 'k1.AAAA' where endpoint_id = $1", [
    broken.id.slice("whe_".length),
  ]);

  // What is sent, and what goes wrong on our side.
  await call(server, key, "/events", { type: "secret.thing", data: { canary: secrets["published data"] } });
  await startWorker();
  await eventually(() => {
    const logged = lines.join("");
    const failures = logged.match(/"msg":"delivery failed/g) ?? [];
    expect(failures.length).toBeGreaterThanOrEqual(2);
    expect(logged).toContain("endpoint cannot be read");
    expect(logged).toMatch(/"error_code":"timeout"/);
    expect(logged).toMatch(/"outcome":"ok"/);
  });
  await db.query("alter table orders rename to gone");
  expect((await call(server, key, "/orders")).status).toBe(500);
  await db.query("alter table gone rename to orders");
  secrets["database password"] = canary("pass");
  const nowhere = connect(`postgres://me:${secrets["database password"]}@127.0.0.1:1/x`, { name: "nowhere" });
  await nowhere
    .query("select 1")
    .catch((err: unknown) => log.error({ err, nowhere: nowhere.pool.options }, "away"));
  await nowhere.close();
  const authorized = { headers: { authorization: `Bearer ${METRICS_TOKEN}` } };
  const scraped = await (await fetch(`${server.origin}/metrics`, authorized)).text();

  const logged = lines.join("");
  expect(echoing.received.length).toBeGreaterThan(0);
  expect(logged).toContain("a request failed");
  const told = { logged, scraped, spans: JSON.stringify(spans) };
  for (const [kind, secret] of Object.entries(secrets)) {
    expect(secret.length, kind).toBeGreaterThanOrEqual(12);
    for (const spelling of spellings(secret))
      for (const [where, text] of Object.entries(told))
        if (text.includes(spelling)) expect.fail(`${kind} is in ${where}: ${spelling}`);
  }
});

it("would find a secret in each of its spellings", () => {
  const secret = "correct-horse+battery/staple";
  const bytes = Buffer.from(secret);
  const texts = [
    `{"secret":"${secret}"}`,
    `key=${encodeURIComponent(secret)}&x`,
    bytes.toString("hex"),
    ...["", "a", "ab", "abc"].map((before) => Buffer.from(`${before}${secret} and more`).toString("base64")),
    Buffer.from(`token:${secret}`).toString("base64url"),
  ];
  for (const text of texts)
    expect(
      spellings(secret).some((spelling) => text.includes(spelling)),
      text,
    ).toBe(true);
});
