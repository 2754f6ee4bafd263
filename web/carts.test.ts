import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";
import { cartBody, cartCalls, refusal } from "./testing/carts.ts";

let api: TestApi;
let carts: ReturnType<typeof cartCalls>;
let now = new Date();
beforeAll(async () => {
  api = await openTestApi({ now: () => now });
  carts = cartCalls(api);
});
afterAll(() => api.close());

const withPrice = (currency: string, price: string) =>
  api.call("POST", "/carts", {
    body: `{"owner":"o","currency":"${currency}","items":[{"sku":"a","quantity":1,"unit_price":0},{"sku":"b","quantity":1,"unit_price":${price}}]}`,
    headers: { "idempotency-key": `${currency}${price}` },
  });

describe("POST /carts", () => {
  it("answers 201 with Location, ETag and the cart", async () => {
    const answer = await carts.create();
    expect(answer.status).toBe(201);
    const { cartId, created_at, updated_at, ...rest } = answer.json;
    expect(cartId).toMatch(/^cart_[0-9a-f-]{36}$/);
    expect(rest).toEqual({ ...cartBody, status: "open", version: 1 });
    expect(updated_at).toBe(created_at);
    expect(answer.headers.get("location")).toBe(`/api/v1/carts/${cartId}`);
    expect(answer.headers.get("etag")).toBe('"1"');
  });

  it("needs no more than an owner: the currency is USD, and there is nothing in it", async () => {
    expect((await carts.create({ owner: "cus_1" })).json).toMatchObject({
      ...{ owner: "cus_1", currency: "USD", items: [], metadata: {} },
    });
  });

  it("emits CartCreated with the whole cart", async () => {
    const cart = await carts.made();
    expect(await carts.events(cart)).toEqual([{ type: "CartCreated", data: cart }]);
  });

  it("needs an Idempotency-Key, which is looked for before the body", async () => {
    const answer = await api.call("POST", "/carts", { body: "{" });
    expect([answer.status, answer.json.type]).toEqual([
      400,
      expect.stringMatching(/\/idempotency-key-missing$/),
    ]);
  });

  it("makes one cart of a hundred calls at once with one key, and gives all of them its answer", async () => {
    const headers = { "idempotency-key": "k-100" };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => api.call("POST", "/carts", { json: cartBody, headers })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(new Set(answers.map((answer) => answer.headers.get("location"))).size).toBe(1);
    expect(await carts.events(answers[0]?.json)).toHaveLength(1);
    const other = await api.call("POST", "/carts", { json: { owner: "other" }, headers });
    expect([other.status, other.json.type]).toEqual([
      422,
      expect.stringMatching(/\/idempotency-key-reused$/),
    ]);
  });

  it.each([
    ["EUR", "12.50", "12.5"],
    ["EUR", "1.25e1", "12.5"],
    ["JPY", "500.00", "500"],
    ["CLF", "99999999999.9999", "99999999999.9999"],
    ["EUR", "999999999999.99", "999999999999.99"],
    ["EUR", "0", "0"],
  ])("with currency %s keeps the price %s as %s, also in its event", async (currency, price, kept) => {
    const made = await withPrice(currency, price);
    expect(made.status, made.text).toBe(201);
    const read = await api.call("GET", `/carts/${made.json.cartId}`);
    expect(made.text).toContain(`"sku":"b","quantity":1,"unit_price":${kept}}`);
    expect(read.text).toBe(made.text);
    const feed = await api.call("GET", "/events?limit=1000");
    expect(feed.text).toContain(made.text);
  });

  it.each([
    ["EUR", "12.505"],
    ["EUR", "12.500000000000000000001"],
    ["JPY", "0.5"],
    ["KWD", "1.2345"],
    ["EUR", "-0.01"],
    ["EUR", "1000000000000"],
    ["EUR", "1e400"],
    ["EUR", '"12.50"'],
    ["EUR", "null"],
  ])("with currency %s refuses the price %s with a pointer", async (currency, price) => {
    expect(refusal(await withPrice(currency, price))).toEqual([422, "#/items/1/unit_price"]);
  });

  const item = { sku: "a", quantity: 1, unit_price: 1 };
  const manyItems = (length: number) => Array.from({ length }, (_, at) => ({ ...item, sku: `s${at}` }));
  const entries = (length: number) => Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, "v"]));
  it.each([
    [{ owner: "" }, "#/owner"],
    [{ owner: "x".repeat(256) }, "#/owner"],
    [{ owner: "nul\0" }, "#/owner"],
    [{ owner: 7 }, "#/owner"],
    [{ owner: undefined }, "#/owner"],
    [{ currency: "eur" }, "#/currency"],
    [{ currency: "ZZZ" }, "#/currency"],
    [{ currency: null }, "#/currency"],
    [{ status: "open" }, "#/status"],
    [{ items: [{ ...item, sku: "" }] }, "#/items/0/sku"],
    [{ items: [{ ...item, sku: "x".repeat(65) }] }, "#/items/0/sku"],
    [{ items: [{ ...item, quantity: 0 }] }, "#/items/0/quantity"],
    [{ items: [{ ...item, quantity: 10_000 }] }, "#/items/0/quantity"],
    [{ items: [{ ...item, quantity: 1.5 }] }, "#/items/0/quantity"],
    [{ items: [{ ...item, name: "x".repeat(201) }] }, "#/items/0/name"],
    [{ items: [{ ...item, name: "\ud800" }] }, "#/items/0/name"],
    [{ items: [{ ...item, colour: "red" }] }, "#/items/0/colour"],
    [{ items: [item, { ...item, sku: "b" }, item] }, "#/items/2/sku"],
    [{ items: manyItems(501) }, "#/items"],
    [{ metadata: entries(51) }, "#/metadata"],
    [{ metadata: { key: 7 } }, "#/metadata/key"],
    [{ metadata: { key: "x".repeat(501) } }, "#/metadata/key"],
    [{ metadata: { "": "v" } }, "#/metadata/"],
    [{ metadata: { a: "\0" } }, "#/metadata/a"],
    [{ metadata: [] }, "#/metadata"],
  ])("refuses %.80j with a pointer", async (change, pointer) => {
    expect(refusal(await carts.create({ ...cartBody, ...change }))).toEqual([422, pointer]);
  });

  it("takes as much as there may be", async () => {
    const cart = await carts.made({ items: manyItems(500), metadata: entries(50), owner: "x".repeat(255) });
    expect([cart.items.length, cart.items.at(-1)?.sku]).toEqual([500, "s499"]);
  });
});

describe("GET /carts/{cartId}", () => {
  it("gives what was created, with a strong ETag, and 304 to who has it", async () => {
    const made = await carts.create();
    const read = await api.call("GET", carts.path(made.json));
    expect([read.text, read.headers.get("etag")]).toEqual([made.text, '"1"']);
    expect(read.headers.get("cache-control")).toBe("private, no-cache, no-transform");
    const again = await api.call("GET", carts.path(made.json), { headers: { "if-none-match": '"1"' } });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  it("answers for another tenant's cart as for one that never existed, whatever the call", async () => {
    const cart = await carts.made();
    const { key } = await api.addTenant();
    const calls = [
      ["GET", "", undefined],
      ["PATCH", "", {}],
      ["DELETE", "", undefined],
      ["PUT", "/items/tea", { quantity: 1, unit_price: 1 }],
      ["DELETE", "/items/tea", undefined],
      ["POST", "/checkout", {}],
    ] as const;
    for (const [method, below, json] of calls)
      for (const id of [cart.cartId, "cart_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84", "cart_x", "1"]) {
        const answer = await api.call(method, `/carts/${id}${below}`, { key, ...(json ? { json } : {}) });
        const { instance: _instance, ...problem } = answer.json;
        expect([answer.status, problem], `${method} ${id}`).toEqual([
          404,
          expect.objectContaining({ detail: "There is no such resource." }),
        ]);
      }
    expect(await carts.read(cart)).toEqual(cart);
  });
});

describe("DELETE /carts/{cartId}", () => {
  it("answers 204, emits CartDeleted with the cart, and is 404 to all other calls at once", async () => {
    const cart = await carts.made();
    const gone = await carts.remove(cart);
    expect([gone.status, gone.text, gone.headers.get("etag")]).toEqual([204, "", null]);
    expect((await carts.events(cart)).at(-1)).toEqual({
      type: "CartDeleted",
      data: { ...cart, version: 2, updated_at: expect.any(String) },
    });
    const others = await Promise.all([
      api.call("GET", carts.path(cart)),
      carts.patch(cart, { owner: "x" }),
      carts.putItem(cart, "tea", { quantity: 1, unit_price: 1 }),
      carts.removeItem(cart, "tea"),
      carts.checkOut(cart),
    ]);
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    const { json } = await api.call("GET", "/carts?limit=100");
    expect(json.items.map((item: { cartId: string }) => item.cartId)).not.toContain(cart.cartId);
  });

  it("answers 204 again for thirty days, without a second event, and then 404", async () => {
    const cart = await carts.made();
    await carts.remove(cart);
    const repeat = async () => (await carts.remove(cart, { "if-match": '"1"' })).status;
    expect(await repeat()).toBe(204);
    const deletedAt = now;
    now = new Date(deletedAt.getTime() + 30 * 86_400_000 - 1);
    expect(await repeat()).toBe(204);
    now = new Date(deletedAt.getTime() + 30 * 86_400_000);
    expect(await repeat()).toBe(404);
    now = deletedAt;
    expect((await carts.events(cart)).map(({ type }) => type)).toEqual(["CartCreated", "CartDeleted"]);
  });

  it("does not tell another tenant of a tombstone", async () => {
    const cart = await carts.made();
    await carts.remove(cart);
    const { key } = await api.addTenant();
    expect((await api.call("DELETE", carts.path(cart), { key })).status).toBe(404);
  });

  it("honours If-Match", async () => {
    const cart = await carts.made();
    const stale = await carts.remove(cart, { "if-match": '"2"' });
    expect([stale.status, stale.json.current_version]).toEqual([412, 1]);
    expect((await carts.remove(cart, { "if-match": "1" })).status).toBe(428);
    expect((await carts.remove(cart, { "if-match": '"1"' })).status).toBe(204);
  });

  it("deletes once of many calls at once, and all of them are content", async () => {
    const cart = await carts.made();
    const answers = await Promise.all(Array.from({ length: 16 }, () => carts.remove(cart)));
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(204));
    expect((await carts.events(cart)).map(({ type }) => type)).toEqual(["CartCreated", "CartDeleted"]);
  });
});
