import { connect as openSocket } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWebMetrics } from "#server/metrics/web-metrics.ts";
import { createWebServer, type WebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

const TOKEN = "t0ken-of-the-scraper";

let api: TestApi;
let server: WebServer;
beforeAll(async () => {
  api = await openTestApi();
  const { services } = api;
  server = await createWebServer({
    services,
    metrics: { metrics: createWebMetrics(services), token: TOKEN },
  });
});
afterAll(async () => {
  await server.close(1_000);
  await api.close();
});

const scrape = (authorization: string | null = `Bearer ${TOKEN}`, method = "GET") =>
  fetch(`${server.origin}/metrics`, { method, headers: authorization === null ? {} : { authorization } });

/** The value of one sample, by its name and labels as they are spelt. */
function sample(text: string, name: string): number | undefined {
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

describe("/metrics", () => {
  it("tells the process, its pool and the work in the database in Prometheus' text format", async () => {
    const answer = await scrape();
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "no-store",
    ]);
    const text = await answer.text();
    for (const name of [
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "nodejs_eventloop_lag_p99_seconds",
      'posthorn_db_pool_connections{state="idle"}',
    ])
      expect(sample(text, name), name).toBeGreaterThanOrEqual(0);
    expect(sample(text, "posthorn_db_pool_waiting")).toBe(0);
    expect(sample(text, "posthorn_db_pool_max")).toBe(20);
    expect(sample(text, "posthorn_database_up")).toBe(1);
    expect(sample(text, "posthorn_oldest_due_seconds")).toBe(0);
    expect(sample(text, 'posthorn_deliveries_waiting{queue="deliver-retry"}')).toBe(0);
    expect(sample(text, "posthorn_claims_held")).toBe(0);
    expect(sample(text, "posthorn_workers_alive")).toBe(0);
    expect(sample(text, 'posthorn_deliveries{status="due"}')).toBe(0);
    expect(sample(text, "posthorn_oldest_paused_seconds")).toBe(0);
    expect(sample(text, "posthorn_feed_readers_waiting")).toBe(0);
    for (const line of text.split("\n"))
      expect(line).toMatch(/^$|^# (HELP|TYPE) \w+ .+$|^\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? \S+$/);
  });

  it("counts and times requests by operation and class of status, with labels that clients cannot choose", async () => {
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${server.origin}/api/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${api.tenant.key}` },
      });
    await call("/orders");
    await call("/orders");
    await call("/orders/77");
    await call("/orders/78");
    await call("/orders/79?x=1");
    for (const path of ["/nothing", "/no/thing", ""]) await call(path);
    await call("/orders", { method: "DELETE" });
    await call("/orders", { method: "OPTIONS" });
    const text = await (await scrape()).text();
    const count = (operation: string, status: string) =>
      sample(text, `posthorn_http_requests_total{operation="${operation}",status="${status}"}`);
    expect(count("listOrders", "2xx")).toBe(2);
    expect(count("getOrder", "4xx")).toBe(3);
    expect(count("none", "4xx")).toBe(4);
    expect(count("none", "2xx")).toBe(1);
    expect(sample(text, 'posthorn_http_request_duration_seconds_count{operation="listOrders"}')).toBe(2);
    expect(
      sample(text, 'posthorn_http_request_duration_seconds_bucket{le="30",operation="listOrders"}'),
    ).toBe(2);
    expect(
      sample(text, 'posthorn_http_request_duration_seconds_sum{operation="listOrders"}'),
    ).toBeGreaterThan(0);
    const labels = new Set(text.match(/operation="[^"]*"/g));
    expect(labels).toEqual(new Set(['operation="listOrders"', 'operation="getOrder"', 'operation="none"']));
  });

  it("counts what is published, by result, and how much of it a call brings", async () => {
    const post = (path: string, json: object, headers = {}) => api.call("POST", path, { json, headers });
    // Those of the server under test, which shares its services with the other.
    const events = async () => (await scrape()).text();
    const before = await events();
    const once = { "idempotency-key": "one" };
    await post("/events", { type: "a", data: {} }, once);
    await post("/events", { type: "a", data: {} }, once);
    await post("/events/batch", {
      events: [
        { type: "a", data: {} },
        { type: "a", data: {} },
        { type: "!", data: {} },
      ],
    });
    const after = await events();
    const more = (name: string) => (sample(after, name) ?? 0) - (sample(before, name) ?? 0);
    expect(more('posthorn_events_published_total{result="created"}')).toBe(3);
    expect(more('posthorn_events_published_total{result="refused"}')).toBe(1);
    expect(more('posthorn_publish_batch_events_bucket{le="1"}')).toBe(1);
    expect(more('posthorn_publish_batch_events_bucket{le="5"}')).toBe(2);
    expect(more("posthorn_publish_batch_events_sum")).toBe(4);
  });

  it("answers 401 with WWW-Authenticate unless the token is the one", async () => {
    for (const sent of [
      null,
      "",
      "Bearer",
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      TOKEN,
    ]) {
      const answer = await scrape(sent);
      expect([answer.status, answer.headers.get("www-authenticate")], String(sent)).toEqual([401, "Bearer"]);
      expect(await answer.text()).toBe("Unauthorized\n");
    }
    expect((await scrape(`Bearer ${api.tenant.key}`)).status).toBe(401);
    expect((await scrape(`bEARER  ${TOKEN}`)).status).toBe(200);
  });

  it("answers HEAD without a body, and other methods with 405 before it asks for the token", async () => {
    const head = await scrape(undefined, "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await scrape(null, "POST");
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("has no sample of what the database does not tell, and goes on telling the rest", async () => {
    const { services } = api;
    const db = {
      ...services.db,
      pool: Object.assign(Object.create(api.services.db.pool), {
        connect: () =>
          Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
      }),
    };
    const metrics = createWebMetrics({ ...services, db });
    const text = await metrics.render();
    expect(sample(text, "posthorn_database_up")).toBe(0);
    expect(text).not.toMatch(
      /^posthorn_(oldest_due_seconds|oldest_paused_seconds|deliveries|deliveries_waiting|claims_held|workers_alive)[ {]/m,
    );
    expect(text).toContain("# TYPE posthorn_oldest_due_seconds gauge");
    expect(sample(text, "process_resident_memory_bytes")).toBeGreaterThan(0);
  });

  it("is told beside by /readyz in short, which is ready without any worker", async () => {
    const ready = await fetch(`${server.origin}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: "ready", delivering: { status: "stalled", oldest_due_seconds: 0, workers: 0 } },
    ]);
  });

  it("is not there without a token to ask for, and is no other path", async () => {
    expect((await fetch(`${api.server.origin}/metrics`)).status).toBe(404);
    const socket = openSocket(server.port, "127.0.0.1");
    socket.write("GET /metrics/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(await readText(socket)).toMatch(/^HTTP\/1.1 404 /);
  });
});
