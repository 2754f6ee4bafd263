import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cart } from "#contracts/carts.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { cartCalls, refusal } from "./testing/carts.ts";

let api: TestApi;
let carts: ReturnType<typeof cartCalls>;
beforeAll(async () => {
  api = await openTestApi();
  carts = cartCalls(api);
});
afterAll(() => api.close());

const ordersOf = async (CustomerId: string) =>
  (await api.call("GET", `/orders?CustomerId=${CustomerId}`)).json.items;

/** A cart of items by the JSON text of their prices. */
async function cartOf(currency: string, ...items: [quantity: number, price: string][]): Promise<Cart> {
  const lines = items.map(([n, price], at) => `{"sku":"s${at}","quantity":${n},"unit_price":${price}}`);
  const { json } = await api.call("POST", "/carts", {
    body: `{"owner":"cus_1","currency":"${currency}","items":[${lines.join()}]}`,
    headers: { "idempotency-key": randomUUID() },
  });
  return json;
}

describe("POST /carts/{cartId}/checkout", () => {
  it("makes an order of the cart: 201 with Location, ETag and the order", async () => {
    const cart = await carts.made();
    const answer = await carts.checkOut(cart, { shipping_address: { city: "Leeds" } });
    expect([answer.status, answer.headers.get("etag")]).toEqual([201, '"1"']);
    expect(answer.json).toMatchObject({
      status: "awaiting-payment",
      ...{ CustomerId: "cus_1", Total: 55, Currency: "EUR", shipping_address: { city: "Leeds" }, version: 1 },
    });
    expect(answer.headers.get("location")).toBe(`/api/v1/orders/${answer.json.id}`);
    expect((await api.call("GET", `/orders/${answer.json.id}`)).text).toBe(answer.text);
    expect((await api.call("POST", `/orders/${answer.json.id}/payment`)).status).toBe(200);
  });

  it("checks the cart out, with OrderCreated and CartCheckedOut one after the other", async () => {
    const cart = await carts.made();
    const { json: order } = await carts.checkOut(cart);
    const after = await carts.read(cart);
    expect(after).toEqual({ ...cart, status: "checked_out", version: 2, updated_at: expect.any(String) });
    const { links: _links, ...snapshot } = order;
    const { items } = (await api.call("GET", "/events?limit=1000")).json;
    const [made, checkedOut] = items.slice(-2);
    expect([made.type, made.data]).toEqual(["OrderCreated", snapshot]);
    expect([checkedOut.type, checkedOut.data]).toEqual(["CartCheckedOut", after]);
    expect(checkedOut.sequence).toBe(made.sequence + 1);
  });

  it("needs no body", async () => {
    const cart = await carts.made();
    const answer = await api.call("POST", `${carts.path(cart)}/checkout`);
    expect([answer.status, answer.json.shipping_address]).toEqual([201, null]);
  });

  it("names the customer that it is told, text or integer", async () => {
    const customer = async (CustomerId: unknown) =>
      (await carts.checkOut(await carts.made(), { CustomerId })).json.CustomerId;
    expect([await customer("cus_other"), await customer(42)]).toEqual(["cus_other", "42"]);
  });

  it("must be told the customer where the cart's owner is too long to be one", async () => {
    const cart = await carts.made({ owner: "x".repeat(65) });
    expect(refusal(await carts.checkOut(cart))).toEqual([422, "#/CustomerId"]);
    expect((await carts.checkOut(cart, { CustomerId: "cus_1" })).status).toBe(201);
    const exact = await carts.made({ owner: "y".repeat(64) });
    expect((await carts.checkOut(exact)).json.CustomerId).toBe("y".repeat(64));
  });

  it.each([
    ["EUR", [[3, "0.1"]], "0.3"],
    [
      "EUR",
      [
        [1, "0.1"],
        [1, "0.2"],
      ],
      "0.3",
    ],
    ["EUR", [[9999, "70000000.07"]], "699930000699.93"],
    ["JPY", [[3, "500"]], "1500"],
    ["CLF", [[9999, "12345678.9012"]], "123444443333.0988"],
    ["EUR", [[2, "0"]], "0"],
  ] as [string, [number, string][], string][])(
    "in %s adds %j up to %s, exactly",
    async (currency, items, total) => {
      const cart = await cartOf(currency, ...items);
      expect((await carts.checkOut(cart)).text).toContain(`"Total":${total},`);
    },
  );

  it("refuses a total above the highest amount, and leaves the cart open", async () => {
    const cart = await cartOf("EUR", [1, "999999999999.99"], [1, "0.01"]);
    expect(refusal(await carts.checkOut(cart))).toEqual([422, "#"]);
    expect((await carts.removeItem(cart, "s1")).status).toBe(204);
    expect((await carts.checkOut(cart)).text).toContain('"Total":999999999999.99,');
  });

  it.each([
    [{ CustomerId: "" }, "#/CustomerId"],
    [{ CustomerId: "x".repeat(65) }, "#/CustomerId"],
    [{ CustomerId: 1.5 }, "#/CustomerId"],
    [{ shipping_address: 7 }, "#/shipping_address"],
    [{ shipping_address: "x".repeat(2048) }, "#/shipping_address"],
    [{ Total: 1 }, "#/Total"],
  ])("refuses %.60j with a pointer", async (body, pointer) => {
    const cart = await carts.made();
    expect(refusal(await carts.checkOut(cart, body))).toEqual([422, pointer]);
    expect(await carts.read(cart)).toEqual(cart);
  });

  it("refuses an empty cart, and one that is not open, with the state and what is possible in it", async () => {
    const owner = randomUUID();
    const [empty, abandoned, done] = [
      await carts.made({ owner, items: [] }),
      await carts.made({ owner }),
      await carts.made({ owner }),
    ];
    await carts.patch(abandoned, { status: "abandoned" });
    await carts.checkOut(done);
    const answers = [
      await carts.checkOut(empty),
      await carts.checkOut(abandoned),
      await carts.checkOut(done),
    ];
    expect(
      answers.map(({ status, json }) => [
        status,
        json.state,
        json.links.map((link: { rel: string }) => link.rel),
      ]),
    ).toEqual([
      [409, "open", ["self", "abandon", "delete"]],
      [409, "abandoned", ["self", "reopen", "delete"]],
      [409, "checked_out", ["self", "delete"]],
    ]);
    expect(await ordersOf(owner)).toHaveLength(1);
  });

  it("honours If-Match, which is about the cart", async () => {
    const cart = await carts.made();
    await carts.putItem(cart, "cup", { quantity: 1, unit_price: 1 });
    const stale = await carts.checkOut(cart, {}, { "if-match": '"1"' });
    expect([stale.status, stale.json.current_version]).toEqual([412, 2]);
    expect((await carts.checkOut(cart, {}, { "if-match": "2" })).status).toBe(428);
    const done = await carts.checkOut(cart, {}, { "if-match": '"2"' });
    expect([done.status, done.headers.get("etag")]).toEqual([201, '"1"']);
  });

  it("makes one order for one Idempotency-Key, and gives it again", async () => {
    const owner = randomUUID();
    const cart = await carts.made({ owner });
    const headers = { "idempotency-key": "checkout-1" };
    const first = await carts.checkOut(cart, {}, headers);
    const again = await carts.checkOut(cart, {}, headers);
    expect([again.status, again.text, again.headers.get("location")]).toEqual([
      201,
      first.text,
      first.headers.get("location"),
    ]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await ordersOf(owner)).toHaveLength(1);
  });

  it("keeps a refusal by the state under its Idempotency-Key, and not that of content", async () => {
    const cart = await carts.made({ items: [] });
    const attempt = (key: string, body: unknown = {}) =>
      carts.checkOut(cart, body, { "idempotency-key": key });
    expect((await attempt("c1")).status).toBe(409);
    expect((await attempt("c2", { CustomerId: "" })).status).toBe(422);
    await carts.putItem(cart, "cup", { quantity: 1, unit_price: 1 });
    expect((await attempt("c1")).status).toBe(409);
    expect((await attempt("c2")).status).toBe(201);
  });

  it("makes one order of many calls at once", async () => {
    const owner = randomUUID();
    const cart = await carts.made({ owner });
    const answers = await Promise.all(Array.from({ length: 16 }, () => carts.checkOut(cart)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(15).fill(409)]);
    expect(await ordersOf(owner)).toHaveLength(1);
    expect((await carts.events(cart)).map(({ type }) => type)).toEqual(["CartCreated", "CartCheckedOut"]);
  });
});
