import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallOptions, openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

type State = "awaiting-payment" | "paid" | "shipped" | "cancelled";
const WAYS: Record<State, ("payment" | "shipment" | "cancellation")[]> = {
  "awaiting-payment": [],
  paid: ["payment"],
  shipped: ["payment", "shipment"],
  cancelled: ["cancellation"],
};
const change = (id: number, what: string, call: CallOptions = {}) =>
  api.call(what === "payment" ? "POST" : "PUT", `/orders/${id}/${what}`, call);

async function orderIn(state: State): Promise<{ id: number; version: number }> {
  let { json } = await api.call("POST", "/orders", { json: { CustomerId: "c", Total: 5, Currency: "EUR" } });
  for (const step of WAYS[state]) ({ json } = await change(json.id, step));
  expect(json.status).toBe(state);
  return json;
}

const put = (id: number, json: unknown, headers: Record<string, string> = { "if-match": '"1"' }) =>
  api.call("PUT", `/orders/${id}`, { json, headers });
const read = async (id: number) => (await api.call("GET", `/orders/${id}`)).json;

async function eventsOf(id: number): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { json } = await api.call("GET", "/events?limit=1000");
  return json.items.filter((event: { data: { id?: number } }) => event.data.id === id);
}
const typesOf = async (id: number) => (await eventsOf(id)).map(({ type }) => type);
const relsOf = (links: { rel: string }[]) => links.map(({ rel }) => rel);

describe("PUT /orders/{id}", () => {
  it("answers 204 without body and without ETag, and counts the version on", async () => {
    const { id } = await orderIn("awaiting-payment");
    const answer = await put(id, { shipping_address: { city: "Leeds" } });
    expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([204, "", null]);
    expect(answer.headers.get("etag")).toBeNull();
    expect(answer.headers.get("last-modified")).toBeNull();
    expect(await read(id)).toMatchObject({
      shipping_address: { city: "Leeds" },
      version: 2,
      status: "awaiting-payment",
    });
  });

  it("gives the order when that is preferred, without ETag too", async () => {
    const { id } = await orderIn("awaiting-payment");
    const headers = { "if-match": '"1"', prefer: "respond-async, return=representation" };
    const answer = await put(id, { shipping_address: "1 High Street" }, headers);
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([200, "return=representation"]);
    expect(answer.headers.get("etag")).toBeNull();
    expect(answer.headers.get("vary")).toContain("Prefer");
    expect(answer.json).toEqual(await read(id));
    const minimal = await put(
      id,
      { shipping_address: null },
      { "if-match": '"2"', prefer: "return=minimal" },
    );
    expect([minimal.status, minimal.text, minimal.headers.get("preference-applied")]).toEqual([
      204,
      "",
      "return=minimal",
    ]);
    expect((await read(id)).shipping_address).toBeNull();
  });

  it("counts every success and emits one OrderUpdated for each, also when nothing differs", async () => {
    const { id } = await orderIn("awaiting-payment");
    const address = { city: "York" };
    expect((await put(id, { shipping_address: address })).status).toBe(204);
    expect((await put(id, { shipping_address: address }, { "if-match": '"2"' })).status).toBe(204);
    const { links: _links, ...snapshot } = await read(id);
    expect(snapshot.version).toBe(3);
    const events = await eventsOf(id);
    expect(events.map(({ type, data }) => [type, data.version])).toEqual([
      ["OrderCreated", 1],
      ["OrderUpdated", 2],
      ["OrderUpdated", 3],
    ]);
    expect(events.at(-1)?.data).toEqual(snapshot);
  });

  it("refuses a retry after a lost answer with the version that the first try made", async () => {
    const { id } = await orderIn("awaiting-payment");
    await put(id, { shipping_address: "a" });
    const retry = await put(id, { shipping_address: "a" });
    expect([retry.status, retry.json.current_version]).toEqual([412, 2]);
    expect(await typesOf(id)).toEqual(["OrderCreated", "OrderUpdated"]);
  });

  it("still takes the address of a paid order", async () => {
    const { id } = await orderIn("paid");
    expect((await put(id, { shipping_address: "b" }, { "if-match": '"2"' })).status).toBe(204);
    expect(await read(id)).toMatchObject({ status: "paid", version: 3, shipping_address: "b" });
  });

  it.each(["shipped", "cancelled"] as const)("refuses a %s order with its state", async (state) => {
    const { id, version } = await orderIn(state);
    const answer = await put(id, { shipping_address: "b" }, { "if-match": `"${version}"` });
    expect([answer.status, answer.json.state, relsOf(answer.json.links)]).toEqual([409, state, ["self"]]);
    expect(answer.json.type).toMatch(/\/problems\/state-conflict$/);
    expect((await read(id)).version).toBe(version);
    expect(await typesOf(id)).not.toContain("OrderUpdated");
  });

  it.each([
    [{}, "#/shipping_address"],
    [{ shipping_address: 7 }, "#/shipping_address"],
    [{ shipping_address: ["a"] }, "#/shipping_address"],
    [{ shipping_address: "x".repeat(2048) }, "#/shipping_address"],
    [{ shipping_address: "a", Total: 1 }, "#/Total"],
    [{ shipping_address: "a", status: "paid" }, "#/status"],
    [[], "#"],
  ])("refuses %j with a pointer", async (body, pointer) => {
    const { id } = await orderIn("awaiting-payment");
    const answer = await put(id, body);
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe("PUT /orders/{id}/cancellation", () => {
  it.each(["awaiting-payment", "paid"] as const)("cancels an order that is %s", async (state) => {
    const { id, version } = await orderIn(state);
    const answer = await change(id, "cancellation", { json: { reason: "ordered twice" } });
    expect([answer.status, answer.json.status, answer.json.version]).toEqual([200, "cancelled", version + 1]);
    expect([relsOf(answer.json.links), answer.headers.get("etag")]).toEqual([["self"], null]);
    const { links: _links, ...snapshot } = answer.json;
    const last = (await eventsOf(id)).at(-1);
    expect(last).toMatchObject({ type: "OrderCancelled" });
    expect(last?.data).toEqual({ ...snapshot, reason: "ordered twice" });
  });

  it("tells of no reason when none was given", async () => {
    const { id } = await orderIn("awaiting-payment");
    expect((await change(id, "cancellation")).status).toBe(200);
    expect((await eventsOf(id)).at(-1)?.data).not.toHaveProperty("reason");
  });

  it("gives the same answer again and emits nothing more", async () => {
    const { id } = await orderIn("awaiting-payment");
    const first = await change(id, "cancellation");
    const again = await change(id, "cancellation", { json: { reason: "another" } });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await typesOf(id)).toEqual(["OrderCreated", "OrderCancelled"]);
  });

  it("refuses an order that is shipped", async () => {
    const { id } = await orderIn("shipped");
    const answer = await change(id, "cancellation");
    expect([answer.status, answer.json.state, relsOf(answer.json.links)]).toEqual([409, "shipped", ["self"]]);
  });

  it.each([
    [{ reason: "" }, "#/reason"],
    [{ reason: "x".repeat(501) }, "#/reason"],
    [{ reason: 1 }, "#/reason"],
    [{ why: "x" }, "#/why"],
  ])("refuses %j with a pointer", async (json, pointer) => {
    const { id } = await orderIn("awaiting-payment");
    const answer = await change(id, "cancellation", { json });
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe("PUT /orders/{id}/shipment", () => {
  it("ships a paid order and tells how", async () => {
    const { id } = await orderIn("paid");
    const shipment = { carrier: "DHL", tracking: "1Z9" };
    const answer = await change(id, "shipment", { json: shipment });
    expect([answer.status, answer.json.status, answer.json.version]).toEqual([200, "shipped", 3]);
    expect([relsOf(answer.json.links), answer.headers.get("etag")]).toEqual([["self"], null]);
    const { links: _links, ...snapshot } = answer.json;
    const last = (await eventsOf(id)).at(-1);
    expect(last).toMatchObject({ type: "OrderShipped" });
    expect(last?.data).toEqual({ ...snapshot, shipment });
  });

  it("gives the same answer again and emits nothing more", async () => {
    const { id } = await orderIn("paid");
    const first = await change(id, "shipment");
    const again = await change(id, "shipment", { json: { carrier: "another" } });
    expect([again.status, again.text]).toEqual([200, first.text]);
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual(["OrderCreated", "PaymentCaptured", "OrderShipped"]);
    expect(events.at(-1)?.data).not.toHaveProperty("shipment");
  });

  it.each([
    ["awaiting-payment", ["self", "pay", "cancel"]],
    ["cancelled", ["self"]],
  ] as const)("refuses an order that is %s, with what is possible", async (state, rels) => {
    const { id } = await orderIn(state);
    const answer = await change(id, "shipment");
    expect([answer.status, answer.json.state, relsOf(answer.json.links)]).toEqual([409, state, rels]);
  });

  it("needs the scope to fulfil, which writing orders is not", async () => {
    const { id } = await orderIn("paid");
    const writer = await api.addKey(api.tenant.id, ["orders:read", "orders:write"]);
    expect((await change(id, "shipment", { key: writer })).status).toBe(403);
    const warehouse = await api.addKey(api.tenant.id, ["orders:fulfil"]);
    expect((await change(id, "cancellation", { key: warehouse })).status).toBe(403);
    expect((await change(id, "shipment", { key: warehouse })).status).toBe(200);
  });
});
