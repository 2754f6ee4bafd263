import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId, toId } from "#contracts/ids.ts";
import { openReceiver } from "#workers/delivery/fixtures/http-receiver.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { replaying, wholeRange } from "./testing/replaying.ts";

let api: TestApi;
let tool: ReturnType<typeof replaying>;
beforeAll(async () => {
  api = await openTestApi();
  tool = replaying(api);
});
afterAll(() => api.close());

/** The events of the tenant that are of a type, in the order of the feed. */
async function eventsOf(type: string): Promise<string[]> {
  const rows = await api.services.db.query<{ id: string }>(
    "select id from events where type = $1 order by sequence",
    [type],
  );
  return rows.map(({ id }) => toId("event", id));
}

/** The events that an endpoint has deliveries of; one that has two is named twice. */
async function deliveredEvents(endpointId: string): Promise<string[]> {
  const rows = await api.services.db.query<{ id: string }>(
    "select event_id as id from deliveries where endpoint_id = $1 order by event_id",
    [fromId("endpoint", endpointId)],
  );
  return rows.map(({ id }) => toId("event", id));
}

describe("a recovery", () => {
  it("sends again what failed or was cancelled since then, and nothing that was delivered or dismissed", async () => {
    const receiver = await openReceiver();
    const endpoint = await tool.addEndpoint(receiver.origin, { event_types: ["Mixed"] });
    for (const status of ["delivered", "failed", "cancelled", "dismissed"]) {
      await tool.publish("Mixed", 5);
      await tool.settleAll(endpoint, status);
    }
    const asked = { since: wholeRange().from };
    const dry = await tool.start(endpoint, "recoveries", asked, "?dry_run=true");
    expect([dry.status, dry.json]).toEqual([200, { total: 10 }]);
    const { json } = await tool.start(endpoint, "recoveries", asked);
    expect(json).toMatchObject({
      kind: "recovery",
      total: 10,
      selection: { since: asked.since, include_missing: false },
    });
    await tool.startWorker();
    const end = await tool.until(json.id, ({ status }) => status === "completed");
    expect(end).toMatchObject({ total: 10, done: 10, succeeded: 10 });
    expect(await tool.statuses(endpoint)).toEqual({ delivered: 15, dismissed: 5 });
    expect(receiver.received).toHaveLength(10);
    for (const tries of await tool.attemptsOf(endpoint))
      expect(tries).toMatchObject([{ trigger: "recovery" }]);
  });

  it("with include_missing makes exactly the deliveries that are missing, once, although two run at a time", async () => {
    const receiver = await openReceiver();
    // Before the endpoint existed: some of its types, some not, some that its filter refuses.
    await tool.publish("Missing", 600);
    await tool.publish("Unwanted", 5);
    const filter = { n: { $lt: 500 } };
    const endpoint = await tool.addEndpoint(receiver.origin, { event_types: ["Missing"], filter });
    // While it existed, and while it was disabled.
    await tool.publish("Missing", 10);
    await api.call("POST", `/webhook-endpoints/${endpoint}/disable`);
    await tool.publish("Missing", 10);
    await api.call("POST", `/webhook-endpoints/${endpoint}/enable`);
    await api.services.db.query("update deliveries set status = 'delivered' where event_type = 'Missing'");
    const before = await deliveredEvents(endpoint);

    const asked = { since: wholeRange().from, include_missing: true };
    const dry = await tool.start(endpoint, "recoveries", asked, "?dry_run=true");
    expect(dry.json).toEqual({ total: 510 });
    expect(await deliveredEvents(endpoint)).toEqual(before);
    const both = await Promise.all([1, 2].map(() => tool.start(endpoint, "recoveries", asked)));
    await tool.startWorker();
    await tool.startWorker();
    const ends = await Promise.all(
      both.map(({ json }) => tool.until(json.id, ({ status }) => status === "completed")),
    );
    expect(ends.reduce((sum, { total }) => sum + total, 0)).toBe(510);
    expect(ends.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(510);
    const wanted = await eventsOf("Missing");
    const passing = [...wanted.slice(0, 500), ...wanted.slice(600)].sort();
    expect((await deliveredEvents(endpoint)).filter((id) => wanted.includes(id))).toEqual(passing);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()));
    expect(bodies.filter(({ type }) => type === "Missing")).toHaveLength(510);
    expect((await tool.start(endpoint, "recoveries", asked, "?dry_run=true")).json).toEqual({ total: 0 });
  });

  it("makes no delivery of what was a test of another endpoint", async () => {
    const [one, other] = [
      await tool.addEndpoint("https://example.com/one"),
      await tool.addEndpoint("https://example.com/other", { event_types: ["Ping", "Tested"] }),
    ];
    const since = new Date().toISOString();
    for (const type of ["Ping", "Tested"])
      await api.call("POST", `/webhook-endpoints/${one}/test-events`, { json: { type, data: {} } });
    expect(await deliveredEvents(one)).toHaveLength(2);
    const { json } = await tool.start(other, "recoveries", { since, include_missing: true }, "?dry_run=true");
    expect(json).toEqual({ total: 0 });
  });
});
