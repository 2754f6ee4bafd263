import { randomUUID } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { completeLostTries } from "#db/queries/settle.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

const SECRET = "Jane Roe, 4 Privet Drive";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** A tenant with an endpoint and an event for it that carries what must not be kept. */
async function setUp({ id, headers }: { id?: string; headers?: Record<string, string> } = {}) {
  const { id: tenantId, key } = await api.addTenant();
  const call = (method: string, path: string, options = {}) => api.call(method, path, { key, ...options });
  const endpoint = await call("POST", "/webhook-endpoints", {
    json: { url: "https://example.com/hook", event_types: ["*"] },
  });
  const json = { type: "person.moved", data: { who: SECRET }, ...(id ? { id } : {}) };
  const publish = () => call("POST", "/events", { json, headers });
  const event = (await publish()).json;
  const deliveries = async () => (await call("GET", `/deliveries?event_id=${event.id}`)).json.items;
  return { tenantId, call, publish, event, deliveries, endpoint: endpoint.json };
}

/** Makes a delivery look as after an attempt that was answered. */
async function attempt(tenantId: string, delivery: { id: string }, status = "delivered") {
  const { db } = api.services;
  const id = delivery.id.replace("dlv_", "");
  await db.query("update deliveries set status = $2, attempts = 1 where id = $1", [id, status]);
  await db.query(
    `insert into attempts (tenant_id, id, delivery_id, number, trigger, started_at, duration_ms, outcome, url, worker,
                           request_headers, response_status, response_headers, response_body)
     values ($1, $2, $3, 1, 'schedule', now(), 5, 'ok', 'https://example.com/hook', 1,
             '{"version":"0","timestamp":1,"traceparent":"t","signature":"sig-of-it","kid":"v1","standard":"v1,s"}', 200,
             '{"x-echo":"Jane Roe"}', $4)`,
    [tenantId, uuidv7(), id, Buffer.from(`stored ${SECRET}`)],
  );
}

/** What is not told of a result that comes late. */
const LATE = {
  ...{
    ctid: "(0,0)",
    eventId: uuidv7(),
    endpointId: uuidv7(),
    attemptId: uuidv7(),
    jobId: uuidv7(),
    eventType: "person.moved",
  },
  ...{
    trigger: "schedule",
    status: "delivered",
    step: 0,
    nextAttemptAt: null,
    failureClass: null,
    errorCode: null,
  },
  ...{ requestHeaders: null, responseHeaders: null, responseTruncated: false, remoteAddress: null },
  ...{ waitsInQueue: false, dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
};

/** Every place of the database in which a text stands. */
async function placesOf(text: string): Promise<string[]> {
  const { db } = api.services;
  const tables = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const places = [];
  for (const { name } of tables) {
    // Bytes are written in hexadecimal there.
    const rows = await db.query(
      `select 1 from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0 limit 1`,
      [text, Buffer.from(text).toString("hex")],
    );
    if (rows.length > 0) places.push(name);
  }
  return places;
}

describe("DELETE /events/{id}/data", () => {
  it("leaves the event in its place, without its data", async () => {
    const { call, event } = await setUp();
    expect((await call("DELETE", `/events/${event.id}/data`)).status).toBe(204);
    const { json } = await call("GET", `/events/${event.id}`);
    expect(json).toEqual({ ...event, data: null, expunged_at: expect.stringMatching(/^20.*Z$/) });
    expect((await call("GET", "/events")).json.items).toEqual([json]);
    expect((await call("DELETE", `/events/${event.id}/data`)).status).toBe(204);
    expect((await call("GET", `/events/${event.id}`)).json).toEqual(json);
  });

  it("leaves nothing of it anywhere in the database", async () => {
    const id = `evt_${uuidv7()}`;
    const { tenantId, call, event, publish, deliveries } = await setUp({
      id,
      headers: { "idempotency-key": randomUUID() },
    });
    expect((await publish()).status).toBe(201);
    const [delivery] = await deliveries();
    await attempt(tenantId, delivery);
    expect((await placesOf(SECRET)).length).toBeGreaterThan(2);

    await call("DELETE", `/events/${event.id}/data`);
    expect(await placesOf(SECRET)).toEqual([]);
    expect(await placesOf("Jane Roe")).toEqual([]);
    expect(await placesOf("sig-of-it")).toEqual([]);
    const [shown] = (await call("GET", `/deliveries/${delivery.id}/attempts`)).json.items;
    expect(shown).toMatchObject({
      outcome: "ok",
      request: { headers: {}, body: (await call("GET", `/events/${event.id}`)).text },
      response: { status: 200, headers: {}, body: "", body_truncated: false },
    });
    // The answer that is kept for the key is the event as it is now; its id stands for content that nobody can compare.
    const replayed = await publish();
    expect([replayed.status, replayed.json.data]).toEqual([201, null]);
    const again = await call("POST", "/events", {
      json: { id, type: "person.moved", data: { who: SECRET } },
    });
    expect([again.status, again.json.type]).toEqual([
      422,
      `${api.server.origin}/problems/idempotency-key-reused`,
    ]);
  });

  it("cancels what waits, held deliveries too, and notes it", async () => {
    const { tenantId, call, event, deliveries } = await setUp();
    const { db } = api.services;
    const [{ id }] = await deliveries();
    await db.query("update deliveries set next_attempt_at = null where id = $1", [id.replace("dlv_", "")]);
    await call("DELETE", `/events/${event.id}/data`);
    expect(await deliveries()).toMatchObject([{ id, status: "cancelled" }]);
    const notes = (await listAuditRows(db, tenantId)).filter(({ action }) => action === "event.expunge");
    expect(notes).toMatchObject([{ target: event.id, after: { deliveries_cancelled: 1 } }]);
  });

  it("is refused while a request with the data is under way, and nothing is changed", async () => {
    const { tenantId, call, event, deliveries } = await setUp();
    const { db } = api.services;
    const [{ id }] = await deliveries();
    const [row] = await db.query<{ jobId: string }>(
      `select job_id as "jobId" from deliveries where id = $1`,
      [id.replace("dlv_", "")],
    );
    await db.query("update pgboss.job set state = 'active' where id = $1", [row?.jobId]);
    await db.query(
      "insert into claims (job_id, queue, worker, tenant_id, delivery_ids) values ($1, 'deliver', 1, $2, array[$3::uuid])",
      [row?.jobId, tenantId, id.replace("dlv_", "")],
    );
    for (const status of ["pending", "cancelled"]) {
      await db.query("update deliveries set status = $2 where id = $1", [id.replace("dlv_", ""), status]);
      const refused = await call("DELETE", `/events/${event.id}/data`);
      expect([refused.status, refused.json.type]).toEqual([
        409,
        `${api.server.origin}/problems/state-conflict`,
      ]);
    }
    expect((await call("GET", `/events/${event.id}`)).json).toEqual(event);
    await db.query("delete from claims");
    await db.query("delete from pgboss.job where id = $1", [row?.jobId]);
    expect((await call("DELETE", `/events/${event.id}/data`)).status).toBe(204);
  });

  it("leaves nothing to be sent again: neither alone nor by a replay or a recovery", async () => {
    const { tenantId, call, event, deliveries, endpoint } = await setUp();
    const [delivery] = await deliveries();
    await attempt(tenantId, delivery, "failed");
    await call("DELETE", `/events/${event.id}/data`);
    const refused = await call("POST", `/deliveries/${delivery.id}/replay`);
    expect([refused.status, refused.json.state]).toEqual([409, "failed"]);
    expect(refused.json.detail).toMatch(/expunged/);
    expect(refused.json.links.map(({ rel }: { rel: string }) => rel)).toEqual([
      "self",
      "attempts",
      "dismiss",
    ]);

    const { db } = api.services;
    await db.query("delete from deliveries where tenant_id = $1", [tenantId]);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const counted = await call("POST", `/webhook-endpoints/${endpoint.id}/recoveries?dry_run=true`, {
      json: { since, include_missing: true },
    });
    expect(counted.json.total).toBe(0);
  });

  it("keeps out the answer to a try that was taken for lost, when it comes after all", async () => {
    const { tenantId, call, event, deliveries } = await setUp();
    const { db } = api.services;
    const [delivery] = await deliveries();
    await attempt(tenantId, delivery, "failed");
    await db.query("update attempts set outcome = 'lost' where tenant_id = $1", [tenantId]);
    await call("DELETE", `/events/${event.id}/data`);
    const late = { tenantId, deliveryId: delivery.id.replace("dlv_", ""), number: 1, startedAt: new Date() };
    const answer = { durationMs: 9, outcome: "ok", url: "https://example.com/hook", responseStatus: 200 };
    const row = { ...LATE, ...late, ...answer, responseBody: Buffer.from(SECRET) };
    await withTransaction(db, (tx) => completeLostTries(tx, [row]));
    const [shown] = (await call("GET", `/deliveries/${delivery.id}/attempts`)).json.items;
    expect([shown.outcome, shown.response.body]).toEqual(["lost", ""]);
  });

  it("takes a scope of its own, and is no other tenant's", async () => {
    const { tenantId, call, event } = await setUp();
    const publisher = await api.addKey(tenantId, ["events:read", "events:write"]);
    const eraser = await api.addKey(tenantId, ["events:expunge"]);
    const path = `/events/${event.id}/data`;
    expect((await call("DELETE", path, { key: publisher })).status).toBe(403);
    expect((await api.call("DELETE", path)).status).toBe(404);
    expect((await call("DELETE", path, { key: eraser })).status).toBe(204);
  });

  it("is done once, however many ask at the same time", async () => {
    const { tenantId, call, event } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call("DELETE", `/events/${event.id}/data`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204));
    const notes = (await listAuditRows(api.services.db, tenantId)).filter(
      ({ action }) => action === "event.expunge",
    );
    expect(notes).toHaveLength(1);
  });
});

describe("a delivery whose event has passed its retention", () => {
  it("is shown without a body, and cannot be sent again", async () => {
    const { tenantId, call, event, deliveries } = await setUp();
    const [delivery] = await deliveries();
    await attempt(tenantId, delivery);
    await api.services.db.query("delete from events where id = $1", [event.id.replace("evt_", "")]);
    const [shown] = (await call("GET", `/deliveries/${delivery.id}/attempts`)).json.items;
    expect(shown.request.body).toBe("");
    const refused = await call("POST", `/deliveries/${delivery.id}/replay`);
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      expect.stringMatching(/passed its retention/),
    ]);
  });
});
