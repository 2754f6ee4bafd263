import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "#server/log/logger.ts";
import { createWebServer, type WebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
let server: WebServer;
let logged = "";
beforeAll(async () => {
  api = await openTestApi();
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  const log = createLogger({ name: "test", level: "trace", destination });
  const failing = { ...api.services, log };
  server = await createWebServer({ services: failing });
});
afterAll(async () => {
  await server.close(1_000);
  await api.close();
});

async function call(method: string, path: string, key: string, headers = {}, json?: object) {
  const sent = { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers };
  const body = json ? { body: JSON.stringify(json) } : {};
  const answer = await fetch(`${server.origin}/api/v1${path}`, { method, headers: sent, ...body });
  const text = await answer.text();
  return { status: answer.status, json: text === "" ? undefined : JSON.parse(text), headers: answer.headers };
}

/** All rows of all tables, as text. */
async function everythingStored(): Promise<string> {
  const { db } = api.services;
  const tables = await db.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  const rows = await Promise.all(
    tables.map(({ name }) => db.query<{ row: string }>(`select each::text as row from ${name} as each`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n");
}

it("leaves nothing of a key, a link to the portal or a signing secret in the database or in the log, also where its answer is kept for a repeat", async () => {
  const { key: manager } = api.tenant;
  const wanted = { name: "secretive", scopes: ["orders:read"] };
  const once = { "idempotency-key": "make-it-once" };
  const made = await call("POST", "/api-keys", manager, once, wanted);
  const rotated = await call("POST", `/api-keys/${made.json.id}/rotate`, manager, {
    "idempotency-key": "rotate",
  });
  const endpoint = {
    url: "https://example.com/hook",
    event_types: ["*"],
    secret: `whsec_${"QUJD".repeat(8)}`,
  };
  const hook = await call("POST", "/webhook-endpoints", manager, once, endpoint);
  const turned = await call("POST", `/webhook-endpoints/${hook.json.id}/secret-rotations`, manager, once, {});
  expect([hook.status, turned.status]).toEqual([201, 201]);
  await call("GET", "/orders", made.json.key);
  // What goes wrong on our side is logged.
  await api.services.db.query("alter table orders rename to gone");
  expect((await call("GET", "/orders", made.json.key)).status).toBe(500);
  await api.services.db.query("alter table gone rename to orders");
  await api.services.keyUsage.write();
  await call("DELETE", `/api-keys/${made.json.id}`, manager);

  const link = await call("POST", "/portal-links", manager, once, { name: "secretive link" });
  const token = link.json.url.split("/").at(-1);
  expect((await call("GET", "/portal", token)).status).toBe(200);
  const relink = await call("POST", "/portal-links", manager, once, { name: "secretive link" });
  expect([relink.json, relink.headers.get("idempotent-replayed")]).toEqual([link.json, "true"]);

  const again = await call("POST", "/api-keys", manager, once, wanted);
  expect([again.status, again.json, again.headers.get("idempotent-replayed")]).toEqual([
    201,
    made.json,
    "true",
  ]);

  const stored = await everythingStored();
  expect(stored).toContain("secretive");
  expect(stored).toContain("make-it-once");
  expect(logged).toContain("a request failed");
  for (const { secret } of [hook.json, turned.json]) {
    expect(secret).toMatch(/^whsec_/);
    for (const text of [stored, logged]) expect(text).not.toContain(secret.slice(6));
  }
  expect(token).toMatch(/^posthorn_portal_/);
  for (const text of [stored, logged]) expect(text).not.toContain(token.slice("posthorn_portal_".length));
  for (const key of [manager, made.json.key, rotated.json.key]) {
    expect(key).toMatch(/^ph_live_/);
    const secret = key.split("_")[3];
    expect(secret).toHaveLength(38);
    for (const text of [stored, logged]) expect(text).not.toContain(secret.slice(0, 32));
  }
});
