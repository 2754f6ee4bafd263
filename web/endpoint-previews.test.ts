import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  ({ key } = await api.addTenant());
});
afterAll(() => api.close());

const publish = async (type: string, data: object = {}): Promise<string> =>
  (await api.call("POST", "/events", { key, json: { type, data } })).json.id;
const preview = (json: object) => api.call("POST", "/webhook-endpoint-previews", { key, json });

describe("POST /webhook-endpoint-previews", () => {
  it("tells of each of the last events whether the types and the filter let it pass, newest first", async () => {
    const small = await publish("invoice.paid", { amount: 5 });
    const large = await publish("invoice.paid", { amount: 500 });
    const other = await publish("invoice.sent", { amount: 500 });

    const { status, json } = await preview({
      event_types: ["invoice.p*"],
      filter: { amount: { $gte: 100 } },
    });

    expect(status).toBe(200);
    expect(json).toMatchObject({
      looked_at: 3,
      matched: 1,
      items: [
        { id: other, matches: false },
        { id: large, type: "invoice.paid", matches: true },
        { id: small, matches: false },
      ],
    });
  });

  it("looks at the last hundred, and at no test", async () => {
    const events = Array.from({ length: 105 }, (_, n) => ({ type: "n.counted", data: { n } }));
    await api.call("POST", "/events/batch", { key, json: { events } });
    const endpoint = { url: "https://example.com/x", event_types: ["none.at_all"] };
    const { id } = (await api.call("POST", "/webhook-endpoints", { key, json: endpoint })).json;
    await api.call("POST", `/webhook-endpoints/${id}/test-events`, { key });

    const { json } = await preview({ event_types: ["*"] });

    expect(json.looked_at).toBe(99);
    expect(json.items.every((item: { type: string }) => item.type === "n.counted")).toBe(true);
  });

  it("refuses a bad filter with a pointer, and makes nothing", async () => {
    const { status, json } = await preview({ event_types: ["*"], filter: { a: { $near: 1 } } });

    expect(status).toBe(422);
    expect(json.errors[0].pointer).toBe("#/filter/a/$near");
    expect((await api.call("GET", "/webhook-endpoints", { key })).json.items).toEqual([]);
  });

  it("knows nothing of another tenant's events", async () => {
    await publish("invoice.paid");
    ({ key } = await api.addTenant());

    expect((await preview({ event_types: ["*"] })).json).toEqual({ looked_at: 0, matched: 0, items: [] });
  });
});
