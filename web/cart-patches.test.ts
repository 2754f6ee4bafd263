import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";
import { cartBody, cartCalls, refusal } from "./testing/carts.ts";

let api: TestApi;
let carts: ReturnType<typeof cartCalls>;
beforeAll(async () => {
  api = await openTestApi();
  carts = cartCalls(api);
});
afterAll(() => api.close());

const entries = (length: number) => Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, "v"]));

describe("PATCH /carts/{cartId}", () => {
  it("changes what the patch names, with ETag and CartUpdated", async () => {
    const cart = await carts.made();
    const answer = await carts.patch(cart, { owner: "cus_2", metadata: { coupon: "TEA10" } });
    expect([answer.status, answer.headers.get("etag")]).toEqual([200, '"2"']);
    expect(answer.json).toEqual({
      ...cart,
      owner: "cus_2",
      metadata: { channel: "web", coupon: "TEA10" },
      version: 2,
      updated_at: expect.any(String),
    });
    expect(await carts.read(cart)).toEqual(answer.json);
    expect((await carts.events(cart)).slice(1)).toEqual([{ type: "CartUpdated", data: answer.json }]);
  });

  it.each([
    [{ channel: null }, {}],
    [
      { channel: "shop", a: "b" },
      { channel: "shop", a: "b" },
    ],
    [{ absent: null }, { channel: "web" }],
    [null, {}],
    [{}, { channel: "web" }],
  ])("merges metadata by %j", async (metadata, merged) => {
    expect((await carts.patch(await carts.made(), { metadata })).json.metadata).toEqual(merged);
  });

  it.each([
    {},
    { owner: cartBody.owner, currency: "EUR", status: "open", metadata: { channel: "web", absent: null } },
  ])("keeps the version and emits nothing when %j changes nothing", async (patch) => {
    const cart = await carts.made();
    const answer = await carts.patch(cart, patch);
    expect([answer.status, answer.headers.get("etag"), answer.json]).toEqual([200, '"1"', cart]);
    expect(await carts.events(cart)).toHaveLength(1);
  });

  it("leads from open to abandoned and back", async () => {
    const cart = await carts.made();
    expect((await carts.patch(cart, { status: "abandoned" })).json.status).toBe("abandoned");
    expect((await carts.patch(cart, { status: "open" }, 2)).json).toMatchObject({
      status: "open",
      version: 3,
    });
    expect((await carts.putItem(cart, "cup", { quantity: 1, unit_price: 1 })).status).toBe(200);
  });

  it("leads nowhere from checked_out, where the rest can still be changed", async () => {
    const cart = await carts.made();
    await carts.checkOut(cart);
    for (const status of ["open", "abandoned"]) {
      const { status: code, json } = await carts.patch(cart, { status }, 2);
      expect([code, json.state]).toEqual([409, "checked_out"]);
      expect(json.links.map(({ rel }: { rel: string }) => rel)).toEqual(["self", "delete"]);
    }
    expect((await carts.patch(cart, { owner: "erased" }, 2)).json).toMatchObject({
      ...{ owner: "erased", status: "checked_out" },
    });
  });

  it("changes the currency of an empty cart only", async () => {
    const full = await carts.made();
    expect(refusal(await carts.patch(full, { currency: "GBP" }))).toEqual([422, "#/currency"]);
    const empty = await carts.made({ items: [] });
    expect((await carts.patch(empty, { currency: "JPY" })).json.currency).toBe("JPY");
    expect(refusal(await carts.patch(empty, { currency: "ZZZ" }, 2))).toEqual([422, "#/currency"]);
  });

  it.each([
    [{ cartId: "cart_x" }, "#/cartId"],
    [{ items: [] }, "#/items"],
    [{ version: 9 }, "#/version"],
    [{ created_at: "2026-11-21T09:30:00.000Z" }, "#/created_at"],
    [{ updated_at: null }, "#/updated_at"],
    [{ colour: "red" }, "#/colour"],
    [{ owner: null }, "#/owner"],
    [{ owner: "" }, "#/owner"],
    [{ currency: null }, "#/currency"],
    [{ status: "checked_out" }, "#/status"],
    [{ status: null }, "#/status"],
    [{ metadata: "none" }, "#/metadata"],
    [{ metadata: { a: 1 } }, "#/metadata/a"],
    [{ metadata: { "a/b~": { c: 1 } } }, "#/metadata/a~1b~0"],
    [{ metadata: entries(50) }, "#/metadata"],
  ])("refuses %.60j with a pointer", async (patch, pointer) => {
    const cart = await carts.made();
    expect(refusal(await carts.patch(cart, patch))).toEqual([422, pointer]);
    expect(await carts.read(cart)).toEqual(cart);
  });

  it("needs If-Match with the version", async () => {
    const cart = await carts.made();
    const patch = (ifMatch: string | undefined) =>
      api.call("PATCH", carts.path(cart), {
        json: { owner: "x" },
        headers: ifMatch === undefined ? {} : { "if-match": ifMatch },
      });
    for (const header of [undefined, "*", "1", '"a"', ""]) expect((await patch(header)).status).toBe(428);
    for (const header of ['W/"1"', '"2"', '"01"', '"99999999999999999999"']) {
      const { status, json } = await patch(header);
      expect([status, json.current_version], header).toEqual([412, 1]);
    }
    expect((await patch('"7", "1"')).status).toBe(200);
  });

  it("is checked in the contract's order: 404, 415, 428, 412, 400, 422, 409", async () => {
    const cart = await carts.made();
    await carts.checkOut(cart);
    const patch = (body: string, headers: Record<string, string>, path = carts.path(cart)) =>
      api.call("PATCH", path, { body, headers });
    const current = { "if-match": '"2"' };
    expect((await patch("{", { "content-type": "text/plain" }, "/carts/cart_x")).status).toBe(404);
    expect((await patch("{", { "content-type": "text/plain" })).status).toBe(415);
    expect((await patch("{", {})).status).toBe(428);
    expect((await patch("{", { "if-match": '"1"' })).status).toBe(412);
    expect((await patch("{", current)).status).toBe(400);
    expect((await patch('{"status":"open","currency":"GBP"}', current)).status).toBe(422);
    expect((await patch('{"status":"open"}', current)).status).toBe(409);
  });

  it("is a merge patch, by that name or as JSON, and nothing else", async () => {
    const cart = await carts.made();
    const patch = (type: string, version: number) =>
      api.call("PATCH", carts.path(cart), {
        json: { owner: type },
        headers: { "content-type": type, "if-match": `"${version}"` },
      });
    expect((await patch("application/merge-patch+json", 1)).status).toBe(200);
    expect((await patch("application/json", 2)).status).toBe(200);
    const refused = await patch("application/json-patch+json", 3);
    expect([refused.status, refused.headers.get("accept-patch")]).toEqual([
      415,
      expect.stringContaining("application/merge-patch+json"),
    ]);
  });
});
