import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "#contracts/index.ts";
import { openTestApi, type TestApi } from "#web/test-support.ts";
import { ApiProblem, type Client, createClient } from "./index.ts";

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await openTestApi();
  client = createClient({ baseUrl: api.base, apiKey: api.tenant.key });
});
afterAll(() => api.close());

const order = { CustomerId: "cus_42", Total: 49.9, Currency: "EUR" };

/** What the promise was rejected with. */
async function problem(work: Promise<unknown>): Promise<ApiProblem> {
  const error = await work.then(
    () => "nothing",
    (reason: unknown) => reason,
  );
  if (error instanceof ApiProblem) return error;
  throw new Error(`not an ApiProblem: ${String(error)}`);
}

describe("a client", () => {
  it("has a function for each operation, and no other", () => {
    const helpers = ["answer", "pages", "items", "followEvents"];
    expect(Object.keys(client).sort()).toEqual([...operations.map(({ id }) => id), ...helpers].sort());
  });

  it("goes the whole way: a cart, its items, the order, its payment, and the events of all that", async () => {
    const { tenant } = { tenant: await api.addTenant() };
    const shop = createClient({ baseUrl: `${api.base}/`, apiKey: tenant.key });
    const cart = await shop.createCart({ body: { owner: "cus_42", currency: "EUR" } });
    const item = {
      params: { cartId: cart.cartId, sku: "tea/green" },
      body: { quantity: 2, unit_price: 12.5 },
    };
    expect(await shop.putCartItem(item)).toMatchObject({ sku: "tea/green", quantity: 2 });
    const { data, etag } = await shop.answer("getCart", { params: { cartId: cart.cartId } });
    expect([etag, data.items.length]).toEqual(['"2"', 1]);
    const patched = await shop.patchCart({
      params: { cartId: cart.cartId },
      ifMatch: data.version,
      body: { metadata: { channel: "web" } },
    });
    expect(patched.version).toBe(3);

    const made = await shop.checkOutCart({ params: { cartId: cart.cartId } });
    expect([made.Total, made.status]).toEqual([25, "awaiting-payment"]);
    const addressed = await shop.updateOrder({
      params: { id: made.id },
      ifMatch: `"${made.version}"`,
      body: { shipping_address: "1 High Street" },
    });
    expect(addressed).toMatchObject({ version: 2, shipping_address: "1 High Street" });
    const paid = await shop.payOrder({ params: { id: made.id }, body: { method: "card" } });
    expect(paid.status).toBe("paid");
    expect(await shop.deleteCart({ params: { cartId: cart.cartId } })).toBeUndefined();

    const { items } = await shop.listEvents({
      query: { type: ["PaymentCaptured", "OrderCreated"], limit: 10 },
    });
    expect(items.map(({ type }) => type)).toEqual(["OrderCreated", "PaymentCaptured"]);
  });

  it("throws what is refused as a problem with its type and members", async () => {
    const refused = await problem(client.createOrder({ body: { ...order, Currency: "eur", Total: -1 } }));
    expect(refused).toMatchObject({ name: "ApiProblem", status: 422, slug: "validation-error" });
    expect(refused.problem?.errors?.map(({ pointer }) => pointer).sort()).toEqual(["#/Currency", "#/Total"]);
    expect(refused.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(refused.problem?.instance).toBe(`urn:uuid:${refused.requestId}`);

    const { id, version } = await client.createOrder({ body: order });
    const stale = { params: { id }, ifMatch: version + 1, body: { shipping_address: null } };
    expect((await problem(client.updateOrder(stale))).problem?.current_version).toBe(1);
    await client.payOrder({ params: { id } });
    const again = await problem(client.payOrder({ params: { id }, idempotencyKey: "another" }));
    expect([again.slug, again.problem?.state]).toEqual(["state-conflict", "paid"]);

    const stranger = createClient({ baseUrl: api.base, apiKey: "ph_none" });
    expect((await problem(stranger.listOrders())).slug).toBe("unauthenticated");
  });

  it("knows what has not changed since", async () => {
    const { id } = await client.createOrder({ body: order });
    const headers = { "if-none-match": '"1"' };
    const { status, data } = await client.answer("getOrder", { params: { id }, headers });
    expect([status, data]).toEqual([304, undefined]);
  });

  it("keeps ids within their place in the path, and refuses those that would lead elsewhere", async () => {
    expect((await problem(client.getOrder({ params: { id: "1/../../events?x=#y" } }))).slug).toBe(
      "not-found",
    );
    await expect(client.getOrder({ params: { id: ".." } })).rejects.toThrow(/cannot be/);
    await expect(client.getOrder({ params: { id: "" } })).rejects.toThrow(/cannot be/);
  });

  it("does not compile what the API would refuse", async () => {
    const calls = [
      // @ts-expect-error the body lacks a member
      () => client.createOrder({ body: { CustomerId: "c", Total: 1 } }),
      // @ts-expect-error there is no such parameter
      () => client.listOrders({ query: { colour: "red" } }),
      // @ts-expect-error there is no such status
      () => client.listOrders({ query: { status: "lost" } }),
      // @ts-expect-error If-Match is required
      () => client.updateOrder({ params: { id: 1 }, body: { shipping_address: null } }),
      // @ts-expect-error the path has a parameter
      () => client.getCart(),
      // @ts-expect-error a cart has no total
      async () => (await client.getCart({ params: { cartId: "c" } })).Total,
    ];
    for (const call of calls) await expect(call()).rejects.toThrow();
  });
});

describe("lists and the feed", () => {
  it("are read to their end, page by page or item by item", async () => {
    const tenant = await api.addTenant();
    const shop = createClient({ baseUrl: api.base, apiKey: tenant.key });
    for (let n = 1; n <= 5; n++) await shop.createOrder({ body: { ...order, Total: n } });

    const sizes: number[] = [];
    for await (const page of shop.pages("listOrders", { query: { limit: 2 } })) sizes.push(page.items.length);
    expect(sizes).toEqual([2, 2, 1]);
    const totals: number[] = [];
    for await (const one of shop.items("listOrders", { query: { limit: 2 } })) totals.push(one.Total);
    expect(totals).toEqual([5, 4, 3, 2, 1]);

    const first = await shop.listOrders({ query: { limit: 3 } });
    const rest: number[] = [];
    const after = first.next_cursor ?? "";
    for await (const one of shop.items("listOrders", { query: { limit: 3, after } })) rest.push(one.Total);
    expect(rest).toEqual([2, 1]);
  });

  it("follows the feed from a cursor, waits for what comes, and ends when it is told to", async () => {
    const tenant = await api.addTenant();
    const shop = createClient({ baseUrl: api.base, apiKey: tenant.key });
    await shop.publishEvent({ body: { type: "a.one", data: {} } });
    const stop = new AbortController();
    const seen: string[] = [];
    const cursors: (string | null)[] = [];
    const following = (async () => {
      for await (const page of shop.followEvents({ query: { wait: 10 }, signal: stop.signal })) {
        seen.push(...page.items.map(({ type }) => type));
        cursors.push(page.next_cursor);
        if (seen.length === 1) void shop.publishEvent({ body: { type: "a.two", data: {} } });
        if (seen.length === 2) stop.abort(new Error("enough"));
      }
    })();
    await expect(following).rejects.toThrow("enough");
    expect(seen).toEqual(["a.one", "a.two"]);

    const again = await shop.listEvents({ query: { after: cursors[0] ?? "" } });
    expect(again.items.map(({ type }) => type)).toEqual(["a.two"]);
  });
});
