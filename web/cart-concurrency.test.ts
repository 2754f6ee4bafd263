import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";
import { cartCalls } from "./testing/carts.ts";

let api: TestApi;
let carts: ReturnType<typeof cartCalls>;
beforeAll(async () => {
  api = await openTestApi();
  carts = cartCalls(api);
});
afterAll(() => api.close());

const times = <T>(count: number, call: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => call(at)));
/** How many answers there are of each status. */
function statuses(answers: { status: number }[]): Record<number, number> {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, some.length]));
}

describe("changes of one cart at once", () => {
  it("of different items all end in the cart, each with one version and one event", async () => {
    const cart = await carts.made({ items: [] });
    const answers = await times(40, (at) =>
      carts.putItem(cart, `s${at}`, { quantity: at + 1, unit_price: 1 }),
    );
    expect(statuses(answers)).toEqual({ 200: 40 });
    const after = await carts.read(cart);
    expect(after.version).toBe(41);
    expect(new Set(after.items.map(({ sku, quantity }) => `${sku} ${quantity}`))).toEqual(
      new Set(Array.from({ length: 40 }, (_, at) => `s${at} ${at + 1}`)),
    );
    const events = await carts.events(cart);
    expect(events.map(({ data }) => data.version)).toEqual(Array.from({ length: 41 }, (_, at) => at + 1));
    expect(events.at(-1)?.data).toEqual(after);
    for (const [at, { data }] of events.entries()) expect(data.items).toEqual(after.items.slice(0, at));
  });

  it("by a hundred patches of one version make one, and the others learn the version that is", async () => {
    const cart = await carts.made();
    const answers = await times(100, (at) => carts.patch(cart, { owner: `new_${at}` }));
    expect(statuses(answers)).toEqual({ 200: 1, 412: 99 });
    const made = answers.find(({ status }) => status === 200);
    expect(await carts.read(cart)).toEqual(made?.json);
    for (const { status, json } of answers) if (status === 412) expect(json.current_version).toBe(2);
    expect((await carts.events(cart)).map(({ type }) => type)).toEqual(["CartCreated", "CartUpdated"]);
  });

  it("by the same put make one change", async () => {
    const cart = await carts.made();
    const answers = await times(30, () => carts.putItem(cart, "cup", { quantity: 1, unit_price: 1 }));
    expect(statuses(answers)).toEqual({ 200: 30 });
    expect((await carts.read(cart)).version).toBe(2);
    expect(await carts.events(cart)).toHaveLength(2);
  });

  it("and its checkout: the order is made of what is in the cart, and nothing gets in later", async () => {
    const cart = await carts.made({ items: [{ sku: "first", quantity: 1, unit_price: 1 }] });
    const [order, ...puts] = await Promise.all([
      carts.checkOut(cart),
      ...Array.from({ length: 20 }, (_, at) => carts.putItem(cart, `s${at}`, { quantity: 1, unit_price: 1 })),
    ]);
    const after = await carts.read(cart);
    const { 200: taken = 0, 409: refused = 0 } = statuses(puts);
    expect([order?.status, taken + refused]).toEqual([201, 20]);
    expect(after.items).toHaveLength(taken + 1);
    expect(order?.json.Total).toBe(taken + 1);
    const events = await carts.events(cart);
    expect(events).toHaveLength(after.version);
    expect(events.at(-1)).toEqual({ type: "CartCheckedOut", data: after });
  });

  it("and its deletion: whatever comes later finds no cart", async () => {
    const cart = await carts.made({ items: [] });
    const [gone, ...puts] = await Promise.all([
      carts.remove(cart),
      ...Array.from({ length: 20 }, (_, at) => carts.putItem(cart, `s${at}`, { quantity: 1, unit_price: 1 })),
    ]);
    const { 200: taken = 0, 404: missed = 0 } = statuses(puts);
    expect([gone?.status, taken + missed]).toEqual([204, 20]);
    const events = await carts.events(cart);
    expect(events.map(({ type }) => type)).toEqual([
      "CartCreated",
      ...Array(taken).fill("CartItemUpdated"),
      "CartDeleted",
    ]);
    expect(events.at(-1)?.data.version).toBe(taken + 2);
  });
});
