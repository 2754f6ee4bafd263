import { randomUUID } from "node:crypto";
import type { Cart } from "#contracts/carts.ts";
import type { Answer, CallOptions, TestApi } from "../test-support.ts";

interface CartEvent {
  type: string;
  data: Cart;
}

export const cartBody = {
  owner: "cus_1",
  currency: "EUR",
  items: [
    { sku: "tea", quantity: 2, unit_price: 12.5, name: "Earl Grey" },
    { sku: "pot", quantity: 1, unit_price: 30 },
  ],
  metadata: { channel: "web" },
};

/** Calls about carts, as tests make them again and again. */
export function cartCalls(api: TestApi) {
  const create = (json: unknown = cartBody, options: CallOptions = {}): Promise<Answer> =>
    api.call("POST", "/carts", { ...options, json, headers: { "idempotency-key": randomUUID() } });
  const path = ({ cartId }: Pick<Cart, "cartId">) => `/carts/${cartId}`;
  return {
    create,
    path,
    /** Creates one that must succeed. */
    async made(change: Record<string, unknown> = {}): Promise<Cart> {
      const answer = await create({ ...cartBody, ...change });
      if (answer.status !== 201) throw new Error(`no cart was made: ${answer.text}`);
      return answer.json;
    },
    read: async (cart: Pick<Cart, "cartId">): Promise<Cart> => (await api.call("GET", path(cart))).json,
    putItem: (cart: Cart, sku: string, json: unknown, headers: Record<string, string> = {}) =>
      api.call("PUT", `${path(cart)}/items/${encodeURIComponent(sku)}`, { json, headers }),
    removeItem: (cart: Cart, sku: string, headers: Record<string, string> = {}) =>
      api.call("DELETE", `${path(cart)}/items/${encodeURIComponent(sku)}`, { headers }),
    patch: (cart: Cart, json: unknown, version: number = cart.version) =>
      api.call("PATCH", path(cart), {
        json,
        headers: { "content-type": "application/merge-patch+json", "if-match": `"${version}"` },
      }),
    remove: (cart: Cart, headers: Record<string, string> = {}) => api.call("DELETE", path(cart), { headers }),
    checkOut: (cart: Cart, json: unknown = {}, headers: Record<string, string> = {}) =>
      api.call("POST", `${path(cart)}/checkout`, { json, headers }),
    /** The events of one cart, in their order. */
    async events({ cartId }: Pick<Cart, "cartId">): Promise<CartEvent[]> {
      const { json } = await api.call("GET", "/events?limit=1000");
      return json.items
        .filter((event: CartEvent) => event.data.cartId === cartId)
        .map(({ type, data }: CartEvent) => ({ type, data }));
    },
  };
}

/** Status and pointers of a refusal. */
export function refusal(answer: Answer): unknown[] {
  return [answer.status, ...(answer.json.errors ?? []).map((error: { pointer: string }) => error.pointer)];
}
