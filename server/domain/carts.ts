import type { CartStatus } from "#contracts/carts.ts";
import { MAX_AMOUNT } from "#contracts/money.ts";
import type { Link } from "#contracts/page.ts";
import { trimDecimal } from "./exact-number.ts";

/** One line of a cart. The price is decimal text in major units: no digit of it is lost. */
export interface CartLine {
  sku: string;
  quantity: number;
  unit_price: string;
  name?: string;
}

/** What decides on what can be done with a cart. */
export interface CartState {
  status: CartStatus;
  items: readonly CartLine[];
}

type CartMove = "checkout" | "abandon" | "reopen";

/** The cart machine: what may be done in which state, and where it leads. Everything else is a conflict. */
const TRANSITIONS: Record<CartMove, { from: CartStatus; to: CartStatus }> = {
  checkout: { from: "open", to: "checked_out" },
  abandon: { from: "open", to: "abandoned" },
  reopen: { from: "abandoned", to: "open" },
};

const CALLS: Record<CartMove, { path: string; method: Link["method"] }> = {
  checkout: { path: "/checkout", method: "POST" },
  abandon: { path: "", method: "PATCH" },
  reopen: { path: "", method: "PATCH" },
};
const MOVES = ["checkout", "abandon", "reopen"] as const;

/** Only there can items be put in and taken out. */
const TAKES_ITEMS: CartStatus = "open";

export function takesItems({ status }: CartState): boolean {
  return status === TAKES_ITEMS;
}

/** Whether an order can be made of the cart: there must be something in it. */
export function canCheckOut({ status, items }: CartState): boolean {
  return status === TRANSITIONS.checkout.from && items.length > 0;
}

/** Whether a patch can lead from one status to another. */
export function canPatch(from: CartStatus, to: CartStatus): boolean {
  return MOVES.some(
    (move) =>
      CALLS[move].method === "PATCH" && TRANSITIONS[move].from === from && TRANSITIONS[move].to === to,
  );
}

/** What can be done with a cart now. `prefix` is the deployment's, such as `/api/v1`. */
export function cartLinks(cart: CartState & { cartId: string }, prefix: string): Link[] {
  const href = `${prefix}/carts/${cart.cartId}`;
  const possible = MOVES.filter((move) =>
    move === "checkout" ? canCheckOut(cart) : TRANSITIONS[move].from === cart.status,
  );
  return [
    { rel: "self", href, method: "GET" },
    ...possible.map((rel) => ({ rel, href: href + CALLS[rel].path, method: CALLS[rel].method })),
    { rel: "delete", href, method: "DELETE" },
  ];
}

/** The lines with one put in: in the place of the one of its sku, else at the end. The same array when that changes nothing. */
export function putLine(lines: readonly CartLine[], line: CartLine): readonly CartLine[] {
  const at = lines.findIndex(({ sku }) => sku === line.sku);
  const present = lines[at];
  if (!present) return [...lines, line];
  return isSameLine(present, line) ? lines : lines.with(at, line);
}

function isSameLine(a: CartLine, b: CartLine): boolean {
  return a.quantity === b.quantity && a.unit_price === b.unit_price && a.name === b.name;
}

/** The lines without that of a sku; the same array when there is none. */
export function removeLine(lines: readonly CartLine[], sku: string): readonly CartLine[] {
  return lines.some((line) => line.sku === sku) ? lines.filter((line) => line.sku !== sku) : lines;
}

/** No currency has more decimals. */
const SCALE = 4;

/** The sum of quantity × price, exactly, as decimal text; `undefined` when it is above the highest amount there is. */
export function cartTotal(lines: readonly CartLine[]): string | undefined {
  const units = lines.reduce((sum, line) => sum + toUnits(line.unit_price) * BigInt(line.quantity), 0n);
  return units > toUnits(String(MAX_AMOUNT)) ? undefined : fromUnits(units);
}

function toUnits(decimal: string): bigint {
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(SCALE, "0"));
}

function fromUnits(units: bigint): string {
  const digits = String(units).padStart(SCALE + 1, "0");
  return trimDecimal(`${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`);
}

const TOMBSTONE_MS = 30 * 86_400_000;

/** A cart that was deleted after this moment still has its tombstone. */
export function tombstonesSince(now: Date): Date {
  return new Date(now.getTime() - TOMBSTONE_MS);
}
