import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import { openServices } from "#server/runtime/services.ts";
import { createWebServer } from "./server.ts";
import { type Answer, openTestApi, type TestApi } from "./test-support.ts";
import { staffOf } from "./testing/staff-api.ts";

// So few that a busy machine does not give back what a test has taken.
const LIMITS = { requests: 2, events: 5 };

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({
    rateLimits: LIMITS,
    findStaff: async (cookie) => staffOf("viewer", cookie),
  });
});
afterAll(() => api.close());

const fields = ({ headers }: Answer) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];
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
    expect(taken).toBeGreaterThanOrEqual(4);
    // While forty calls are answered a little comes back.
    expect(taken).toBeLessThan(30);
    expectRefusal(answers.get(429)?.[0]);
    expect((await api.call("GET", "/orders", { key: other })).status).toBe(200);
    expect((await api.call("POST", "/events", { key, json: event })).status).toBe(201);
  });

  it("tell of their limit whatever becomes of them, but not to who is nobody", async () => {
    const { id } = await api.addTenant();
    await api.services.db.query("update tenants set request_rate = 10 where id = $1", [id]);
    const key = await api.addKey(id, ["orders:read", "orders:write"]);
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
      expect(policy).toBe('"requests";q=20;w=2');
      expect(limit).toMatch(/^"requests";r=1?\d;t=[12]$/);
    }
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
    // More than there can be at once are taken when nothing was published before.
    const batch = await api.call("POST", "/events/batch", { key: tenant.key, json: events(60) });
    expect([batch.status, fields(batch)[0]]).toEqual([200, '"events";q=10;w=2']);
    expect(fields(batch)[1]).toMatch(/^"events";r=0;t=(8|9|10|11)$/);
    const refused = await api.call("POST", "/events/batch", { key: second, json: events(2) });
    expectRefusal(refused);
    expect(refused.json.detail).toBe("The tenant publishes too many events.");
    expectRefusal(await api.call("POST", "/events", { key: tenant.key, json: event }));
    const feed = await api.call("GET", "/events?limit=100", { key: tenant.key });
    expect(feed.json.items).toHaveLength(60);
    expect(fields(feed)[0]).toBe('"requests";q=4;w=2');
  });

  it("more than there can be at once wait until the limit is whole again, and no longer", async () => {
    const tenant = await api.addTenant();
    await api.services.db.query("update tenants set event_rate = 1 where id = $1", [tenant.id]);
    const publish = (count: number) =>
      api.call("POST", "/events/batch?atomic=true", { key: tenant.key, json: events(count) });
    expect((await publish(30)).status).toBe(200);
    const refused = await publish(900);
    expectRefusal(refused);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(2);
    expect(wait).toBeLessThanOrEqual(31);
  });

  it("cost as much as one when they are no events at all", async () => {
    const tenant = await api.addTenant();
    const answers = await burst(120, () => api.call("POST", "/events", { key: tenant.key, body: "{" }));
    expect(answers.get(400)?.length).toBeGreaterThanOrEqual(10);
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
    expect(fields(await api.call("GET", "/orders", { key: tenant.key }))[0]).toBe('"requests";q=4;w=2');
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
