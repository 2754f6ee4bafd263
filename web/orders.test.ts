import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const order = { CustomerId: "cus_1", Total: 49.9, Currency: "EUR" };
const create = (json: unknown = order) => api.call("POST", "/orders", { json });

async function eventsOf(orderId: number): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { json } = await api.call("GET", "/events?limit=1000");
  return json.items.filter((event: { data: { id?: number } }) => event.data.id === orderId);
}

describe("POST /orders", () => {
  it("answers 201 with Location, ETag and the order", async () => {
    const answer = await create({ ...order, shipping_address: { city: "Leeds" } });
    expect(answer.status).toBe(201);
    const { id, created_at, updated_at, links, ...rest } = answer.json;
    expect(Number.isInteger(id)).toBe(true);
    expect(rest).toEqual({
      status: "awaiting-payment",
      CustomerId: "cus_1",
      Total: 49.9,
      Currency: "EUR",
      shipping_address: { city: "Leeds" },
      version: 1,
    });
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(updated_at).toBe(created_at);
    expect(links.map((link: { rel: string }) => link.rel)).toEqual(["self", "pay", "cancel"]);
    expect(answer.headers.get("location")).toBe(`/api/v1/orders/${id}`);
    expect(answer.headers.get("etag")).toBe('"1"');
  });

  it("emits OrderCreated with the whole order but for its links", async () => {
    const { json } = await create();
    const { links: _links, ...snapshot } = json;
    const events = await eventsOf(json.id);
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: "OrderCreated", data: snapshot },
    ]);
  });

  it("takes an integer for CustomerId and returns it as text", async () => {
    expect((await create({ ...order, CustomerId: 42 })).json.CustomerId).toBe("42");
  });

  it("takes a text for an address, null, or none", async () => {
    const addresses = ["1 High Street", null, undefined];
    const made = await Promise.all(
      addresses.map((shipping_address) => create({ ...order, shipping_address })),
    );
    expect(made.map((answer) => answer.json.shipping_address)).toEqual(["1 High Street", null, null]);
  });

  it("keeps the numbers of an address as they are spelled, in answers and events, and counts their digits", async () => {
    const address = '{"zip":9007199254740993,"at":[1.10,-0,1e-400,1E400]}';
    const made = await api.call("POST", "/orders", {
      body: `{"CustomerId":"c","Currency":"EUR","Total":1,"shipping_address": ${address.replaceAll(",", " ,\n")} }`,
    });
    const shown = `"shipping_address":${address}`;
    expect(made.text).toContain(shown);
    const path = `/orders/${made.json.id}`;
    expect((await api.call("GET", path)).text).toContain(shown);
    const moved = '{"zip":9007199254740995}';
    const headers = { "if-match": '"1"' };
    await api.call("PUT", path, { body: `{"shipping_address":${moved}}`, headers });
    const feed = (await api.call("GET", "/events?limit=1000")).text;
    for (const data of [shown, `"shipping_address":${moved}`]) expect(feed).toContain(data);
    const long = `{"shipping_address":{"zip":1.${"0".repeat(2_100)}}}`;
    const refused = await api.call("PUT", path, { body: long, headers: { "if-match": '"2"' } });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([422, "#/shipping_address"]);
  });

  it.each([
    ["EUR", "0", 201],
    ["EUR", "49.90", 201],
    ["EUR", "4.99e1", 201],
    ["EUR", "999999999999.99", 201],
    ["JPY", "500", 201],
    ["JPY", "500.00", 201],
    ["KWD", "1.234", 201],
    ["CLF", "1.2345", 201],
    ["EUR", "49.999", 422],
    ["EUR", "49.900000000000000001", 422],
    ["JPY", "500.5", 422],
    ["KWD", "1.2345", 422],
    ["EUR", "-0.01", 422],
    ["EUR", "1e15", 422],
    ["EUR", "1e400", 422],
    ["EUR", '"49.90"', 422],
    ["EUR", "null", 422],
  ])("with Currency %s takes Total %s: %i", async (currency, total, status) => {
    const answer = await api.call("POST", "/orders", {
      body: `{"CustomerId":"c","Currency":"${currency}","Total":${total}}`,
    });
    expect(answer.status, answer.text).toBe(status);
    if (status === 201) expect(answer.json.Total).toBe(Number(total));
    else expect(answer.json.errors[0].pointer).toBe("#/Total");
  });

  it.each([
    [{ Currency: "ZZZ" }, "#/Currency"],
    [{ Currency: "eur" }, "#/Currency"],
    [{ CustomerId: "" }, "#/CustomerId"],
    [{ CustomerId: "x".repeat(65) }, "#/CustomerId"],
    [{ CustomerId: 1.5 }, "#/CustomerId"],
    [{ CustomerId: "nul\0" }, "#/CustomerId"],
    [{ CustomerId: "\ud800" }, "#/CustomerId"],
    [{ shipping_address: "x".repeat(2048) }, "#/shipping_address"],
    [{ shipping_address: { city: "nul\0" } }, "#/shipping_address"],
    [{ shipping_address: { "\udc00": 1 } }, "#/shipping_address"],
    [{ shipping_address: 7 }, "#/shipping_address"],
    [{ status: "paid" }, "#/status"],
  ])("refuses %j with a pointer", async (change, pointer) => {
    const answer = await create({ ...order, ...change });
    expect([answer.status, answer.json.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      422,
      [pointer],
    ]);
  });
});

describe("GET /orders/{id}", () => {
  it("gives what was created, with a strong ETag that no proxy may weaken", async () => {
    const made = await create();
    const read = await api.call("GET", `/orders/${made.json.id}`);
    expect(read.text).toBe(made.text);
    expect(read.headers.get("etag")).toBe('"1"');
    expect(read.headers.get("cache-control")).toBe("private, no-cache, no-transform");
  });

  it("answers 304 to a reader that has it", async () => {
    const { json } = await create();
    const read = (tag: string, method = "GET") =>
      api.call(method, `/orders/${json.id}`, { headers: { "if-none-match": tag } });
    const fresh = await read('W/"1"');
    expect([fresh.status, fresh.text, fresh.headers.get("etag")]).toEqual([304, "", '"1"']);
    expect(fresh.headers.get("cache-control")).toBe("private, no-cache, no-transform");
    expect((await read('"1"', "HEAD")).status).toBe(304);
    expect((await read('"2"')).status).toBe(200);
  });
});

describe("POST /orders/{id}/payment", () => {
  const pay = (id: number, options = {}) => api.call("POST", `/orders/${id}/payment`, options);

  it("makes the order paid and emits PaymentCaptured with the payment", async () => {
    const { json: made } = await create();
    const payment = { method: "card", reference: "ch_1" };
    const paid = await pay(made.id, { json: payment });
    expect([paid.status, paid.json.status, paid.json.version]).toEqual([200, "paid", 2]);
    expect(paid.headers.get("etag")).toBe('"2"');
    expect(paid.json.links.map((link: { rel: string }) => link.rel)).toEqual(["self", "cancel", "ship"]);
    const { links: _links, ...snapshot } = paid.json;
    expect((await eventsOf(made.id)).at(-1)).toMatchObject({
      type: "PaymentCaptured",
      data: { ...snapshot, payment },
    });
  });

  it("needs no body", async () => {
    expect((await pay((await create()).json.id)).status).toBe(200);
  });

  it("refuses a second payment with the state and what is possible in it", async () => {
    const { json: made } = await create();
    await pay(made.id);
    const again = await pay(made.id);
    expect([again.status, again.json.state]).toEqual([409, "paid"]);
    expect(again.json.links.map((link: { rel: string }) => link.rel)).toEqual(["self", "cancel", "ship"]);
  });

  it("lets one of many at once succeed, with one event", async () => {
    const { json: made } = await create();
    const answers = await Promise.all(Array.from({ length: 16 }, () => pay(made.id)));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([200, ...Array(15).fill(409)]);
    expect((await eventsOf(made.id)).map((event) => event.type)).toEqual(["OrderCreated", "PaymentCaptured"]);
    expect((await api.call("GET", `/orders/${made.id}`)).json.version).toBe(2);
  });

  it("honours If-Match", async () => {
    const { json: made } = await create();
    const stale = await pay(made.id, { headers: { "if-match": '"9"' } });
    expect([stale.status, stale.json.current_version]).toEqual([412, 1]);
    expect((await pay(made.id, { headers: { "if-match": "1" } })).status).toBe(428);
    expect((await pay(made.id, { headers: { "if-match": '"1"' } })).status).toBe(200);
  });

  it("checks in the contract's order: 404, 415, 412, 422, 409", async () => {
    const { json: made } = await create();
    await pay(made.id);
    const bad = { body: "{", headers: { "content-type": "text/plain", "if-match": '"9"' } };
    expect((await pay(1, bad)).status).toBe(404);
    expect((await pay(made.id, bad)).status).toBe(415);
    expect((await pay(made.id, { body: "{", headers: { "if-match": '"9"' } })).status).toBe(412);
    expect((await pay(made.id, { body: "{" })).status).toBe(400);
    expect((await pay(made.id, { json: { x: 1 } })).status).toBe(422);
    expect((await pay(made.id, { json: {} })).status).toBe(409);
  });
});
