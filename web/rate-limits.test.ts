import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import { openServices } from "#server/runtime/services.ts";
import { createWebServer } from "./server.ts";
import { type Answer, openTestApi, type TestApi } from "./test-support.ts";

const LIMITS = { requests: 5, events: 20 };

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({
    rateLimits: LIMITS,
    findStaff: async (cookie) => ({ userId: cookie, email: `${cookie}@example.com`, role: "viewer" }),
  });
});
afterAll(() => api.close());

const fields = ({ headers }: Answer) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];
const left = (answer: Answer) => Number(/;r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]);
const event = { type: "a", data: {} };
const events = (count: number) => ({ events: Array.from({ length: count }, () => event) });

/** Makes the same call at once, many times; gives the answers by status. */
async function burst(count: number, call: () => Promise<Answer>) {
  const answers = await Promise.all(Array.from({ length: count }, call));
  return Map.groupBy(answers, ({ status }) => status);
}

function expectRefusal(answer: Answer | undefined): void {
  expect(answer?.json).toMatchObject({ status: 429, type: `${api.server.origin}/problems/rate-limited` });
  const wait = Number(answer?.headers.get("retry-after"));
  const window = Number(/;t=(\d+)$/.exec(answer?.headers.get("ratelimit") ?? "")?.[1]);
  expect(wait).toBeGreaterThanOrEqual(Math.max(1, window));
}

describe("requests", () => {
  it("are limited for each key by itself, and the refusal says when to come back", async () => {
    const [key, other] = await Promise.all([api.addKey(api.tenant.id), api.addKey(api.tenant.id)]);
    const answers = await burst(40, () => api.call("GET", "/orders", { key }));
    const taken = answers.get(200)?.length ?? 0;
    expect(taken).toBeGreaterThanOrEqual(10);
    // While forty calls are answered a little comes back.
    expect(taken).toBeLessThan(30);
    expectRefusal(answers.get(429)?.[0]);
    expect((await api.call("GET", "/orders", { key: other })).status).toBe(200);
    expect((await api.call("POST", "/events", { key, json: event })).status).toBe(201);
  });

  it("tell of their limit whatever becomes of them, but not to who is nobody", async () => {
    const key = await api.addKey(api.tenant.id, ["orders:read", "orders:write"]);
    const order = await api.call("POST", "/orders", {
      key,
      json: { CustomerId: "c", Total: 1, Currency: "EUR" },
    });
    const etag = order.headers.get("etag") ?? "";
    const answers = [
      order,
      await api.call("GET", `/orders/${order.json.id}`, { key, headers: { "if-none-match": etag } }),
      await api.call("GET", "/orders/1.5", { key }),
      await api.call("GET", "/orders?limit=0", { key }),
      await api.call("GET", "/deliveries", { key }),
      await api.call("HEAD", "/orders", { key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 304, 404, 400, 403, 200]);
    for (const answer of answers) {
      const [policy, limit] = fields(answer);
      expect(policy).toBe('"requests";q=10;w=2');
      expect(limit).toMatch(/^"requests";r=\d;t=[12]$/);
    }
    expect(left(answers[5] as Answer)).toBeLessThan(left(answers[0] as Answer));
    for (const path of ["/orders", "/nothing"])
      expect(fields(await api.call("GET", path, { key: null }))).toEqual([null, null]);
    expect(fields(await api.call("PUT", "/orders", { key }))).toEqual([null, null]);
  });

  it("of staff are limited for each of them", async () => {
    const as = (cookie: string) => ({
      key: null,
      headers: { cookie, "posthorn-tenant": toId("tenant", api.tenant.id) },
    });
    const answers = await burst(40, () => api.call("GET", "/orders", as("ann")));
    expectRefusal(answers.get(429)?.[0]);
    expect((await api.call("GET", "/orders", as("ben"))).status).toBe(200);
  });
});

describe("published events", () => {
  it("are limited for the tenant, whatever the key, and none is stored past the limit", async () => {
    const tenant = await api.addTenant();
    const second = await api.addKey(tenant.id);
    const batch = await api.call("POST", "/events/batch", { key: tenant.key, json: events(35) });
    expect([batch.status, fields(batch)[0], left(batch)]).toEqual([200, '"events";q=40;w=2', 5]);
    const refused = await api.call("POST", "/events/batch", { key: second, json: events(40) });
    expectRefusal(refused);
    expect(refused.json.detail).toBe("The tenant publishes too many events.");
    expect((await api.call("GET", "/events", { key: tenant.key })).json.items).toHaveLength(35);
    expect((await api.call("GET", "/events", { key: tenant.key })).headers.get("ratelimit-policy")).toMatch(
      /^"requests"/,
    );
  });

  it("may be more at once than the burst, when nothing was published before", async () => {
    const tenant = await api.addTenant();
    const batch = await api.call("POST", "/events/batch", { key: tenant.key, json: events(100) });
    expect([batch.status, left(batch)]).toEqual([200, 0]);
    const next = await api.call("POST", "/events", { key: tenant.key, json: event });
    expectRefusal(next);
    expect(Number(next.headers.get("retry-after"))).toBe(4);
  });

  it("cost as much as one when they are no events at all", async () => {
    const tenant = await api.addTenant();
    const answers = await burst(120, () => api.call("POST", "/events", { key: tenant.key, body: "{" }));
    expect(answers.get(400)?.length).toBeGreaterThanOrEqual(40);
    expectRefusal(answers.get(429)?.[0]);
  });
});

describe("a tenant's own limits", () => {
  it("take the place of the setting's, and 0 is none", async () => {
    const tenant = await api.addTenant();
    const set = "update tenants set request_rate = $2, event_rate = $3 where id = $1";
    await api.services.db.query(set, [tenant.id, 50, 0]);
    expect(fields(await api.call("GET", "/orders", { key: tenant.key }))[0]).toBe('"requests";q=100;w=2');
    expect(fields(await api.call("POST", "/events", { key: tenant.key, json: event }))).toEqual([null, null]);
    await api.services.db.query(set, [tenant.id, null, null]);
    expect(fields(await api.call("GET", "/orders", { key: tenant.key }))[0]).toBe('"requests";q=10;w=2');
  });
});

describe("a second process on the same database", () => {
  it("learns within a moment what was taken from the first", async () => {
    const tenant = await api.addTenant();
    const { limiter } = api.services.rateLimits;
    const other = await openServices({
      ...{
        role: "web",
        name: "web-test",
        databaseUrl: api.databaseUrl,
        rootKeys: parseRootKeys(newRootKey("k1")),
      },
      ...{ allowPrivateTargets: [], logLevel: "silent", rateLimits: LIMITS },
    });
    const server = await createWebServer({ services: other.services });
    const publish = async () => {
      const headers = { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" };
      const answer = await fetch(`${server.origin}/api/v1/events`, {
        ...{ method: "POST", headers, body: JSON.stringify(event) },
      });
      return answer.status;
    };
    try {
      const batch = await api.call("POST", "/events/batch", { key: tenant.key, json: events(100) });
      expect(batch.status).toBe(200);
      await limiter.share();
      expect(await publish()).toBe(201);
      await other.services.rateLimits.limiter.share();
      expect(await publish()).toBe(429);
    } finally {
      await server.close(1_000);
      await other.close();
    }
  });
});

describe("without limits", () => {
  it("no answer tells of any, and nothing is counted", async () => {
    const free = await openTestApi();
    try {
      const answers = await burst(50, () => free.call("GET", "/orders"));
      expect([...answers.keys()]).toEqual([200]);
      expect(fields(answers.get(200)?.[0] as Answer)).toEqual([null, null]);
      expect(free.services.rateLimits.limiter.size).toBe(0);
      expect(await free.services.db.query("select 1 from rate_buckets")).toEqual([]);
    } finally {
      await free.close();
    }
  });
});
