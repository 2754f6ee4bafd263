import * as z from "zod";
import { idParameter, idSchema } from "./ids.ts";
import { Metadata, MetadataPatch } from "./metadata.ts";
import { Amount, CurrencyCode } from "./money.ts";
import { operation } from "./operation.ts";
import { NewOrder, Order } from "./orders.ts";
import { Int64, pageOf, pageQuery, Timestamp } from "./page.ts";
import { storableText } from "./text.ts";

export const CART_STATUSES = ["open", "checked_out", "abandoned"] as const;
const CartStatus = z.enum(CART_STATUSES).meta({ id: "CartStatus" });
export type CartStatus = z.infer<typeof CartStatus>;

export const MAX_CART_ITEMS = 500;
const Sku = storableText().min(1).max(64).meta({ example: "TEA-001" });
const Owner = storableText().min(1).max(255).meta({ example: "cus_42" });

const item = {
  quantity: z.int().min(1).max(9999).meta({ example: 2 }),
  unit_price: Amount.describe(
    "In major units, with no more decimals than the currency of the cart has.",
  ).meta({ example: 12.5 }),
  name: storableText().max(200).optional().meta({ example: "Earl Grey, 100 g" }),
};

export const CartItem = z.object({ sku: Sku, ...item }).meta({ id: "CartItem" });
export type CartItem = z.infer<typeof CartItem>;

export const Cart = z
  .object({
    cartId: idSchema("cart"),
    owner: z.string().meta({ example: "cus_42" }),
    status: CartStatus,
    currency: z.string().meta({ example: "EUR" }),
    items: z.array(CartItem).describe("In the order in which they were put in, one for each `sku`."),
    metadata: z.record(z.string(), z.string()).meta({ example: { channel: "web" } }),
    version: Int64.describe("Grows by one on every change; sent quoted as the ETag."),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Cart" });
export type Cart = z.infer<typeof Cart>;

const NewCartItem = z.strictObject({ sku: Sku, ...item }).meta({ id: "NewCartItem" });

export const NewCart = z
  .strictObject({
    owner: Owner,
    currency: CurrencyCode.default("USD"),
    items: z.array(NewCartItem).max(MAX_CART_ITEMS).superRefine(refuseRepeatedSkus).default([]),
    metadata: Metadata.default({}),
  })
  .meta({
    id: "NewCart",
    example: { owner: "cus_42", currency: "EUR", items: [{ sku: "TEA-001", quantity: 2, unit_price: 12.5 }] },
  });
export type NewCart = z.infer<typeof NewCart>;

function refuseRepeatedSkus(items: readonly { sku: string }[], ctx: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { sku }] of items.entries()) {
    if (seen.has(sku))
      ctx.addIssue({ code: "custom", path: [index, "sku"], message: "must be another than those before it" });
    seen.add(sku);
  }
}

const PutCartItem = z
  .strictObject({ sku: Sku.optional().describe("That of the path, if it is given."), ...item })
  .meta({ id: "PutCartItem", example: { quantity: 3, unit_price: 12.5, name: "Earl Grey, 100 g" } });
export type PutCartItem = z.infer<typeof PutCartItem>;

const CartPatch = z
  .strictObject({
    owner: Owner.optional(),
    currency: CurrencyCode.optional().describe("Can be changed while the cart is empty."),
    metadata: MetadataPatch.optional().describe("Merged entry by entry; null takes an entry away."),
    status: z.enum(["open", "abandoned"]).optional(),
  })
  .meta({ id: "CartPatch", example: { metadata: { channel: "web", coupon: null } } });
export type CartPatch = z.infer<typeof CartPatch>;

const Checkout = z
  .strictObject({
    CustomerId: NewOrder.shape.CustomerId.optional().describe("Default: the owner of the cart."),
    shipping_address: NewOrder.shape.shipping_address,
  })
  .meta({ id: "Checkout" });
export type Checkout = z.infer<typeof Checkout>;

const CartParams = z.object({ cartId: idParameter("cart") });
const ItemParams = CartParams.extend({ sku: Sku });
const common = { tag: "Carts", scope: "carts:write" } as const;

export const createCart = operation({
  ...common,
  id: "createCart",
  method: "POST",
  path: "/carts",
  summary: "Create a cart",
  description: "Emits `CartCreated`.",
  body: NewCart,
  response: Cart,
  status: 201,
  versioned: true,
  idempotencyKey: "required",
});

export const listCarts = operation({
  ...common,
  id: "listCarts",
  method: "GET",
  path: "/carts",
  summary: "List carts, newest first",
  scope: "carts:read",
  query: z.strictObject({
    ...pageQuery,
    owner: z.string().min(1).max(255).optional().meta({ example: "cus_42" }),
    status: CartStatus.optional(),
  }),
  response: pageOf(Cart, "CartPage"),
  status: 200,
});

export const getCart = operation({
  ...common,
  id: "getCart",
  method: "GET",
  path: "/carts/{cartId}",
  summary: "Read one cart",
  scope: "carts:read",
  params: CartParams,
  response: Cart,
  status: 200,
  versioned: true,
});

export const patchCart = operation({
  ...common,
  id: "patchCart",
  method: "PATCH",
  path: "/carts/{cartId}",
  summary: "Change owner, currency, metadata or status of a cart",
  description:
    "A merge patch (RFC 7396). `status` goes from `open` to `abandoned` and back. Emits `CartUpdated`; a patch that changes nothing emits nothing and keeps the version. Items have calls of their own.",
  params: CartParams,
  body: CartPatch,
  response: Cart,
  status: 200,
  versioned: true,
  ifMatch: "required",
  problems: ["state-conflict"],
});

export const deleteCart = operation({
  ...common,
  id: "deleteCart",
  method: "DELETE",
  path: "/carts/{cartId}",
  summary: "Delete a cart",
  description:
    "Emits `CartDeleted`. For 30 days a repeat is 204 too and emits nothing; every other call answers 404 at once.",
  params: CartParams,
  status: 204,
  versioned: true,
});

export const putCartItem = operation({
  ...common,
  id: "putCartItem",
  method: "PUT",
  path: "/carts/{cartId}/items/{sku}",
  summary: "Put an item into a cart, or replace it",
  description: `Emits \`CartItemUpdated\`; a repeat that changes nothing emits nothing and keeps the version. A new item is put at the end; one that is replaced keeps its place. A cart has at most ${MAX_CART_ITEMS} items, and must be open.`,
  params: ItemParams,
  body: PutCartItem,
  response: CartItem,
  status: 200,
  versioned: true,
  prefer: "minimal",
  problems: ["state-conflict"],
});

export const deleteCartItem = operation({
  ...common,
  id: "deleteCartItem",
  method: "DELETE",
  path: "/carts/{cartId}/items/{sku}",
  summary: "Take an item out of a cart",
  description:
    "Emits `CartItemRemoved`; without such an item the answer is 204 too, and nothing changes. The cart must be open.",
  params: ItemParams,
  status: 204,
  versioned: true,
  problems: ["state-conflict"],
});

export const checkOutCart = operation({
  ...common,
  id: "checkOutCart",
  method: "POST",
  path: "/carts/{cartId}/checkout",
  summary: "Make an order from a cart",
  description:
    "The cart must be open and not empty; it becomes `checked_out`. `Total` is the exact sum of quantity × unit_price, `Currency` the cart's. Emits `OrderCreated` and `CartCheckedOut`. If-Match is about the cart, the ETag of the answer about the order.",
  params: CartParams,
  body: Checkout,
  bodyOptional: true,
  response: Order,
  status: 201,
  versioned: true,
  problems: ["state-conflict"],
});
