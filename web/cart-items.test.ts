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

const cup = { quantity: 4, unit_price: 7.25, name: "Cup" };
const typesOf = async (cart: Cart) => (await carts.events(cart)).map(({ type }) => type);
const skusOf = async (cart: Cart) => (await carts.read(cart)).items.map(({ sku }) => sku);

/** A cart in each of the states in which it takes no items. */
async function closedCarts(): Promise<Cart[]> {
  const [abandoned, checkedOut] = [await carts.made(), await carts.made()];
  await carts.patch(abandoned, { status: "abandoned" });
  await carts.checkOut(checkedOut);
  return [abandoned, checkedOut];
}

describe("PUT /carts/{cartId}/items/{sku}", () => {
  it("puts a new item at the end, and gives it without a tag", async () => {
    const cart = await carts.made();
    const answer = await carts.putItem(cart, "cup", cup);
    expect([answer.status, answer.json]).toEqual([200, { sku: "cup", ...cup }]);
    expect(answer.headers.get("etag")).toBeNull();
    expect(await carts.read(cart)).toMatchObject({
      ...{ version: 2, items: [...cart.items, { sku: "cup", ...cup }] },
    });
  });

  it("replaces the item of that sku in its place, with all its members", async () => {
    const cart = await carts.made();
    const tea = { quantity: 3, unit_price: 13 };
    expect((await carts.putItem(cart, "tea", tea)).json).toEqual({ sku: "tea", ...tea });
    expect((await carts.read(cart)).items).toEqual([{ sku: "tea", ...tea }, cart.items[1]]);
  });

  it("emits CartItemUpdated with the whole cart as it is then", async () => {
    const cart = await carts.made();
    await carts.putItem(cart, "cup", cup);
    expect((await carts.events(cart)).slice(1)).toEqual([
      { type: "CartItemUpdated", data: await carts.read(cart) },
    ]);
  });

  it("changes nothing and emits nothing when it is repeated, however the price is spelled", async () => {
    const cart = await carts.made();
    await carts.putItem(cart, "cup", cup);
    const after = await carts.read(cart);
    const again = await api.call("PUT", `${carts.path(cart)}/items/cup`, {
      body: '{"name":"Cup","unit_price":72.50e-1,"quantity":4,"sku":"cup"}',
    });
    expect([again.status, again.json]).toEqual([200, { sku: "cup", ...cup }]);
    expect(await carts.read(cart)).toEqual(after);
    expect(await typesOf(cart)).toEqual(["CartCreated", "CartItemUpdated"]);
  });

  it("answers 204 to who prefers it", async () => {
    const cart = await carts.made();
    const answer = await carts.putItem(cart, "cup", cup, { prefer: "return=minimal" });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("preference-applied")).toBe("return=minimal");
    expect(await skusOf(cart)).toEqual(["tea", "pot", "cup"]);
  });

  it("keeps the price to the last digit", async () => {
    const cart = await carts.made({ currency: "CLF", items: [] });
    const put = await api.call("PUT", `${carts.path(cart)}/items/a`, {
      body: '{"quantity":1,"unit_price":123456789012.3456}',
    });
    expect(put.text).toBe('{"sku":"a","quantity":1,"unit_price":123456789012.3456}');
  });

  it.each(["a/b", "a b", "ü✓", "100%", "x".repeat(64), "?#", "..a"])("takes %j for a sku", async (sku) => {
    const cart = await carts.made({ items: [] });
    expect((await carts.putItem(cart, sku, cup)).json.sku).toBe(sku);
    expect(await skusOf(cart)).toEqual([sku]);
    expect((await carts.removeItem(cart, sku)).status).toBe(204);
    expect(await skusOf(cart)).toEqual([]);
  });

  it.each(["x".repeat(65), "a\0", "%ff"])("has no item %j", async (sku) => {
    const cart = await carts.made();
    const path = `${carts.path(cart)}/items/${sku === "%ff" ? sku : encodeURIComponent(sku)}`;
    expect((await api.call("PUT", path, { json: cup })).status).toBe(404);
    expect((await api.call("DELETE", path)).status).toBe(404);
  });

  it.each([
    [{}, "#/quantity", "#/unit_price"],
    [{ ...cup, quantity: 0 }, "#/quantity"],
    [{ ...cup, quantity: "4" }, "#/quantity"],
    [{ ...cup, unit_price: -1 }, "#/unit_price"],
    [{ ...cup, unit_price: 7.255 }, "#/unit_price"],
    [{ ...cup, unit_price: 1e12 }, "#/unit_price"],
    [{ ...cup, name: null }, "#/name"],
    [{ ...cup, sku: "pot" }, "#/sku"],
    [{ ...cup, colour: "red" }, "#/colour"],
  ])("refuses %j with a pointer", async (item, ...pointers) => {
    const cart = await carts.made();
    expect(refusal(await carts.putItem(cart, "cup", item))).toEqual([422, ...pointers]);
    expect(await typesOf(cart)).toEqual(["CartCreated"]);
  });

  it("refuses the 501st item, and still takes another in the place of one of the 500", async () => {
    const items = Array.from({ length: 500 }, (_, at) => ({ sku: `s${at}`, quantity: 1, unit_price: 1 }));
    const cart = await carts.made({ items });
    expect(refusal(await carts.putItem(cart, "one-more", cup))).toEqual([422, "#"]);
    expect((await carts.putItem(cart, "s7", cup)).status).toBe(200);
  });
});

describe("DELETE /carts/{cartId}/items/{sku}", () => {
  it("takes the item out and emits CartItemRemoved with the whole cart as it is then", async () => {
    const cart = await carts.made();
    const answer = await carts.removeItem(cart, "tea");
    expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([204, "", null]);
    const after = await carts.read(cart);
    expect(after).toMatchObject({ version: 2, items: [cart.items[1]] });
    expect((await carts.events(cart)).slice(1)).toEqual([{ type: "CartItemRemoved", data: after }]);
  });

  it("is 204 without such an item too, and changes and emits nothing then", async () => {
    const cart = await carts.made();
    expect((await carts.removeItem(cart, "cup")).status).toBe(204);
    expect(await carts.read(cart)).toEqual(cart);
    expect(await typesOf(cart)).toEqual(["CartCreated"]);
  });
});

describe("changes of items", () => {
  it("are refused where the cart is not open, repeats included, with the state and what is possible in it", async () => {
    for (const cart of await closedCarts()) {
      const { version, status, items } = await carts.read(cart);
      const { sku, ...same } = items[0] ?? { sku: "" };
      const answers = [
        await carts.putItem(cart, "cup", cup),
        await carts.putItem(cart, sku, same),
        await carts.removeItem(cart, sku),
        await carts.removeItem(cart, "cup"),
      ];
      const rels = status === "abandoned" ? ["self", "reopen", "delete"] : ["self", "delete"];
      for (const { status: code, json } of answers)
        expect([code, json.state, json.links.map(({ rel }: { rel: string }) => rel)]).toEqual([
          409,
          status,
          rels,
        ]);
      expect((await carts.read(cart)).version).toBe(version);
    }
  });

  it("honour If-Match, and otherwise need none", async () => {
    const cart = await carts.made();
    for (const change of [
      (headers: Record<string, string>) => carts.putItem(cart, "cup", cup, headers),
      (headers: Record<string, string>) => carts.removeItem(cart, "none", headers),
    ]) {
      const stale = await change({ "if-match": '"9"' });
      expect([stale.status, stale.json.current_version]).toEqual([412, 1]);
      expect((await change({ "if-match": 'W/"1"' })).status).toBe(412);
      expect((await change({ "if-match": "1" })).status).toBe(428);
    }
    expect((await carts.putItem(cart, "cup", cup, { "if-match": '"1"' })).status).toBe(200);
    expect((await carts.removeItem(cart, "cup", { "if-match": '"2"' })).status).toBe(204);
    expect((await carts.putItem(cart, "cup", cup, { "if-match": "*" })).status).toBe(200);
  });

  it("are checked in the contract's order: 404, 415, 412, 400, 422, 409", async () => {
    const [cart] = await closedCarts();
    const path = `${cart ? carts.path(cart) : ""}/items/cup`;
    const put = (body: string, headers: Record<string, string> = {}, at = path) =>
      api.call("PUT", at, { body, headers });
    const plain = { "content-type": "text/plain", "if-match": '"9"' };
    expect((await put("{", plain, "/carts/cart_x/items/cup")).status).toBe(404);
    expect((await put("{", plain)).status).toBe(415);
    expect((await put("{", { "if-match": '"9"' })).status).toBe(412);
    expect((await put("{")).status).toBe(400);
    expect((await put("{}")).status).toBe(422);
    expect((await put('{"quantity":1,"unit_price":0.001}')).status).toBe(422);
    expect((await put(JSON.stringify(cup))).status).toBe(409);
  });
});
