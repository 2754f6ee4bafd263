import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const create = async (json: object = {}) => {
  const sent = { url: "https://example.com/webhooks", event_types: ["*"], ...json };
  return (await api.call("POST", "/webhook-endpoints", { json: sent })).json.id as string;
};
const test = (id: string, json?: object, more: { key?: string; headers?: Record<string, string> } = {}) =>
  api.call("POST", `/webhook-endpoints/${id}/test-events`, { ...(json ? { json } : {}), ...more });
const eventOf = async (delivery: { event_id: string }) =>
  (await api.call("GET", `/events/${delivery.event_id}`)).json;

describe("POST /webhook-endpoints/{id}/test-events", () => {
  it("makes a Ping for this endpoint alone, whatever it subscribes to and filters", async () => {
    const id = await create({ event_types: ["nothing.of.that"], filter: { never: true } });
    const neighbour = await create();
    const answer = await test(id);
    expect(answer.status).toBe(202);
    const { json } = answer;
    expect(answer.headers.get("location")).toBe(`/api/v1/deliveries/${json.id}`);
    expect(json).toMatchObject({ endpoint_id: id, event_type: "Ping", status: "pending", attempts: 0 });
    expect((await api.call("GET", `/deliveries/${json.id}`)).json).toEqual(json);
    const others = await api.call("GET", `/deliveries?endpoint_id=${neighbour}`);
    expect(others.json.items).toEqual([]);
    const [row] = await api.services.db.query("select trigger from deliveries where id = $1", [
      fromId("delivery", json.id),
    ]);
    expect(row?.trigger).toBe("test");
  });

  it("is an event like any other: it has its number, and the feed has it", async () => {
    const { json } = await test(await create(), { type: "invoice.paid", data: { n: 1 } });
    const event = await eventOf(json);
    expect(event).toMatchObject({ type: "invoice.paid", data: { n: 1 } });
    const feed = await api.call("GET", "/events?limit=1000");
    expect(feed.json.items.at(-1)).toEqual(event);
  });

  it("keeps the data that was given to the byte, and takes the example of the catalogue where none was", async () => {
    const id = await create();
    const body = '{"type":"invoice.sent","data":{"b":1.50,"a":"\\u00e9","big":12345678901234567890}}';
    const given = await api.call("POST", `/webhook-endpoints/${id}/test-events`, { body });
    const stored = await api.call("GET", `/events/${given.json.event_id}`);
    expect(stored.text).toContain('"data":{"b":1.50,"a":"\\u00e9","big":12345678901234567890}');

    const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
    await api.call("PUT", "/event-types/invoice.seen", { json: { schema, example: { n: 7 } } });
    const exemplary = await test(id, { type: "invoice.seen" });
    expect((await eventOf(exemplary.json)).data).toEqual({ n: 7 });
    const unknown = await test(id, { type: "never.heard.of" });
    expect((await eventOf(unknown.json)).data).toEqual({});
  });

  it("holds the data to the schema of its type", async () => {
    const id = await create();
    const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
    await api.call("PUT", "/event-types/invoice.held", { json: { schema } });
    const refused = await test(id, { type: "invoice.held", data: { n: "one" } });
    expect(refused.json).toMatchObject({ status: 422, errors: [{ pointer: "#/data/n" }] });
    expect((await test(id, { type: "invoice.held" })).status).toBe(422);
    expect((await test(id, { type: "invoice.held", data: { n: 1 } })).status).toBe(202);
  });

  it("is taken for a paused endpoint and refused for a disabled one", async () => {
    const id = await create();
    await api.call("POST", `/webhook-endpoints/${id}/pause`);
    expect((await test(id)).status).toBe(202);
    await api.call("POST", `/webhook-endpoints/${id}/disable`);
    expect((await test(id)).json).toMatchObject({ status: 409, state: "disabled" });
  });

  it.each([
    [{ type: "not a type" }, "#/type"],
    [{ data: [] }, "#/data"],
    [{ data: null }, "#/data"],
    [{ id: "evt_1" }, "#/id"],
  ])("refuses %j", async (json, pointer) => {
    const answer = await test(await create(), json);
    expect(answer.json).toMatchObject({ status: 422, errors: [{ pointer }] });
  });

  it("is one event for one idempotency key, is on the record, and needs deliveries:replay", async () => {
    const id = await create();
    const headers = { "idempotency-key": "test-1" };
    const [first, again] = [await test(id, {}, { headers }), await test(id, {}, { headers })];
    expect(again.json).toEqual(first.json);
    const rows = await api.services.db.query(
      "select after from audit_log where target = $1 and action = 'webhook_endpoint.test'",
      [id],
    );
    expect(rows).toEqual([{ after: { type: "Ping", delivery: first.json.id } }]);
    const writer = await api.addKey(api.tenant.id, ["webhooks:write"]);
    const replayer = await api.addKey(api.tenant.id, ["deliveries:replay"]);
    expect((await test(id, {}, { key: writer })).status).toBe(403);
    expect((await test(id, {}, { key: replayer })).status).toBe(202);
  });
});
