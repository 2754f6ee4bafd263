import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { ChangeFeed } from "#server/live/change-feed.ts";
import { eventually } from "#tests/eventually.ts";
import { openTestApi, type TestApi, type TestTenant } from "./test-support.ts";

let api: TestApi;
let feed: ChangeFeed;
beforeAll(async () => {
  api = await openTestApi({
    changes: (deps) => (feed = new ChangeFeed(deps)),
    findStaff: async (cookie) =>
      cookie === "viewer"
        ? { userId: "u", email: "v@example.com", role: "viewer", sessionId: "s", confirmedAt: new Date(0) }
        : null,
  });
});
afterAll(async () => {
  await feed?.close();
  await api?.close();
});

const TYPE = "order.paid";
/** What others do is said of other tenants. */
let tenant: TestTenant;
beforeEach(async () => {
  tenant = await api.addTenant();
});
const publish = (key: string) => api.call("POST", "/events", { key, json: { type: TYPE, data: { a: 1 } } });

/** A stream that is open, with the events that have come. */
async function open(path: string, headers: Record<string, string>) {
  const leaving = new AbortController();
  const answer = await fetch(api.server.origin + path, { headers, signal: leaving.signal });
  let text = "";
  const read = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  const changes = () => text.split("event: changed\n").length - 1;
  return {
    status: answer.status,
    headers: answer.headers,
    changes,
    moreThan: (seen: number) => eventually(() => expect(changes()).toBeGreaterThan(seen)),
    async close() {
      leaving.abort();
      await read;
    },
  };
}

describe("the stream of changes", () => {
  it("says at once that there may be something, and again when something has come, and nothing of what it is", async () => {
    const stream = await open("/live", { authorization: `Bearer ${tenant.key}` });
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(stream.headers.get("cache-control")).toContain("no-store");
    await stream.moreThan(0);
    await eventually(() => expect(feed.isListening).toBe(true));
    const seen = stream.changes();
    await publish(tenant.key);
    await stream.moreThan(seen);
    await stream.close();
  });

  it("tells staff of the tenant that they name", async () => {
    const stream = await open(`/live?tenant=ten_${tenant.id}`, { cookie: "viewer" });
    await eventually(() => expect(feed.isListening).toBe(true));
    const seen = stream.changes();
    await publish(tenant.key);
    await stream.moreThan(seen);
    await stream.close();
  });

  it("says nothing of what others do", async () => {
    const other = await api.addTenant();
    const [mine, theirs] = await Promise.all(
      [tenant, other].map(({ key }) => open("/live", { authorization: `Bearer ${key}` })),
    );
    await eventually(() => expect(feed.isListening).toBe(true));
    await mine?.moreThan(0);
    const [before, seen] = [mine?.changes(), theirs?.changes() ?? 0];
    await publish(other.key);
    await theirs?.moreThan(seen);
    expect(mine?.changes()).toBe(before);
    await Promise.all([mine?.close(), theirs?.close()]);
  });

  it("is for those who may read deliveries", async () => {
    const ask = async (path: string, headers: Record<string, string>) =>
      (await fetch(api.server.origin + path, { headers })).status;
    const lesser = await api.addKey(tenant.id, ["orders:read"]);
    expect(await ask("/live", {})).toBe(401);
    expect(await ask("/live", { authorization: "Bearer nonsense" })).toBe(401);
    expect(await ask("/live", { authorization: `Bearer ${lesser}` })).toBe(403);
    expect(await ask("/live", { cookie: "viewer" })).toBe(400);
    expect(await ask("/live?tenant=ten_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84", { cookie: "viewer" })).toBe(
      404,
    );
  });

  it("hears again within five seconds when its connection was ended, and has everybody look", async () => {
    const stream = await open("/live", { authorization: `Bearer ${tenant.key}` });
    await eventually(() => expect(feed.isListening).toBe(true));
    await stream.moreThan(0);
    const seen = stream.changes();
    const endedAt = performance.now();
    await withTransaction(api.services.db, (tx) =>
      tx.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'posthorn-changes' and datname = current_database()",
      ),
    );
    await stream.moreThan(seen);
    expect(performance.now() - endedAt).toBeLessThan(5_000);
    const again = stream.changes();
    await publish(tenant.key);
    await stream.moreThan(again);
    await stream.close();
  });
});
