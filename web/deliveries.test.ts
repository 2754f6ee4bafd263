import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
let endpoints: string[];
beforeAll(async () => {
  api = await openTestApi();
  const made = await Promise.all(
    [["*"], ["invoice.*"]].map((event_types) =>
      api.call("POST", "/webhook-endpoints", { json: { url: "https://example.com/x", event_types } }),
    ),
  );
  endpoints = made.map((answer) => answer.json.id);
  for (const type of ["invoice.paid", "invoice.sent", "user.made"])
    await api.call("POST", "/events", { json: { type, data: { marker: `<${type}>` } } });
});
afterAll(() => api.close());

interface Shown {
  id: string;
  event_id: string;
  event_type: string;
  endpoint_id: string;
}
const list = async (query = "") => (await api.call("GET", `/deliveries${query}`)).json.items as Shown[];
const types = async (query: string) => (await list(query)).map((delivery) => delivery.event_type).sort();

describe("GET /deliveries", () => {
  it("lists one for each event and subscriber, newest first, not sent as long as no worker runs", async () => {
    const all = await list();
    expect(all).toHaveLength(5);
    expect(all[0]).toMatchObject({
      event_type: "user.made",
      endpoint_id: endpoints[0],
      status: "pending",
      attempts: 0,
      failure_class: null,
      delivered_at: null,
    });
  });

  it("filters by endpoint, event, type, status, time and text", async () => {
    const [newest] = await list();
    expect(await types(`?endpoint_id=${endpoints[1]}`)).toEqual(["invoice.paid", "invoice.sent"]);
    expect(await types(`?event_id=${newest?.event_id}`)).toEqual(["user.made"]);
    expect(await types("?event_type=invoice.paid&event_type=user.made")).toHaveLength(3);
    expect(await types("?status=pending")).toHaveLength(5);
    expect(await types("?status=failed&status=delivered")).toEqual([]);
    expect(await types("?from=2020-01-01T00:00:00Z&to=2021-01-01T00:00:00Z")).toEqual([]);
    expect(await types("?from=2020-01-01T00:00:00Z")).toHaveLength(5);
    expect(await types(`?q=${encodeURIComponent("<invoice.sent>")}`)).toHaveLength(2);
    expect(await types(`?q=${newest?.id}`)).toEqual(["user.made"]);
  });

  it.each(["status=lost", "endpoint_id=x", "from=yesterday", "event_type=", "q="])(
    "refuses ?%s",
    async (query) => {
      expect((await api.call("GET", `/deliveries?${query}`)).status).toBe(400);
    },
  );

  it("gives every one once, page by page, forward and back", async () => {
    const ids = (await list()).map((delivery) => delivery.id);
    const first = await api.call("GET", "/deliveries?limit=3");
    const second = await api.call("GET", `/deliveries?limit=3&after=${first.json.next_cursor}`);
    const back = await api.call("GET", `/deliveries?limit=3&after=${second.json.prev_cursor}`);
    const idsOf = (answer: typeof first) => answer.json.items.map((delivery: Shown) => delivery.id);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(idsOf(back)).toEqual(idsOf(first));
  });
});

describe("GET /deliveries/{id}", () => {
  it("reads one and its attempts, of which there are none yet", async () => {
    const [newest] = await list();
    expect((await api.call("GET", `/deliveries/${newest?.id}`)).json).toEqual(newest);
    const attempts = await api.call("GET", `/deliveries/${newest?.id}/attempts`);
    expect(attempts.json).toEqual({ items: [], next_cursor: null, prev_cursor: null, has_more: false });
  });

  it("answers 404 alike for another tenant's and for none", async () => {
    const [newest] = await list();
    const { key } = await api.addTenant();
    const none = "dlv_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84";
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/attempts"],
      ["POST", "/replay"],
    ] as const) {
      const answers = await Promise.all(
        [newest?.id, none, "x"].map((id) => api.call(method, `/deliveries/${id}${path}`, { key })),
      );
      const texts = answers.map(({ status, json }) => JSON.stringify({ status, ...json, instance: "" }));
      expect(answers[0]?.status, path).toBe(404);
      expect(new Set(texts).size).toBe(1);
    }
  });
});

describe("POST /deliveries/{id}/replay", () => {
  const setStatus = (id: string | undefined, status: string) =>
    api.services.db.query("update deliveries set status = $2 where id = $1", [
      fromId("delivery", id ?? ""),
      status,
    ]);

  it("makes a settled delivery due again, under the same id", async () => {
    const [newest] = await list();
    await setStatus(newest?.id, "failed");
    const replayed = await api.call("POST", `/deliveries/${newest?.id}/replay`);
    expect([replayed.status, replayed.json.id, replayed.json.status]).toEqual([202, newest?.id, "pending"]);
  });

  it("lets one of many at once succeed", async () => {
    const [, second] = await list();
    await setStatus(second?.id, "delivered");
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.call("POST", `/deliveries/${second?.id}/replay`)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([202, ...Array(7).fill(409)]);
  });

  it("refuses one that is under way, with its state and links", async () => {
    const [newest] = await list("?status=pending");
    const refused = await api.call("POST", `/deliveries/${newest?.id}/replay`);
    expect([refused.status, refused.json.state]).toEqual([409, "pending"]);
    expect(refused.json.links.map((link: { rel: string }) => link.rel)).toEqual([
      "self",
      "attempts",
      "cancel",
    ]);
  });
});
