import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CART_STATUSES, type CartStatus } from "#contracts/carts.ts";
import {
  type CartLine,
  canCheckOut,
  canPatch,
  cartLinks,
  cartTotal,
  putLine,
  removeLine,
  takesItems,
  tombstonesSince,
} from "./carts.ts";

const tea: CartLine = { sku: "tea", quantity: 2, unit_price: "12.5" };
const pot: CartLine = { sku: "pot", quantity: 1, unit_price: "30", name: "Tea pot" };

describe("the cart machine", () => {
  it("leads from open to abandoned and back by a patch, and nowhere else", () => {
    const possible = CART_STATUSES.flatMap((from) =>
      CART_STATUSES.filter((to) => canPatch(from, to)).map((to) => `${from} → ${to}`),
    );
    expect(possible).toEqual(["open → abandoned", "abandoned → open"]);
  });

  it("takes items and a checkout only while the cart is open, and a checkout only of something", () => {
    const allowed = (
      decide: (cart: { status: CartStatus; items: CartLine[] }) => boolean,
      items: CartLine[],
    ) => CART_STATUSES.filter((status) => decide({ status, items }));
    expect(allowed(takesItems, [])).toEqual(["open"]);
    expect(allowed(canCheckOut, [tea])).toEqual(["open"]);
    expect(allowed(canCheckOut, [])).toEqual([]);
  });

  it.each([
    ["open", [tea], ["GET self", "POST checkout", "PATCH abandon", "DELETE delete"]],
    ["open", [], ["GET self", "PATCH abandon", "DELETE delete"]],
    ["abandoned", [tea], ["GET self", "PATCH reopen", "DELETE delete"]],
    ["checked_out", [tea], ["GET self", "DELETE delete"]],
  ] as const)("offers in state %s what is possible there", (status, items, offered) => {
    const links = cartLinks({ cartId: "cart_1", status, items: [...items] }, "/api/v1");
    expect(links.map(({ method, rel }) => `${method} ${rel}`)).toEqual(offered);
    for (const { rel, href } of links)
      expect(href).toBe(`/api/v1/carts/cart_1${rel === "checkout" ? "/checkout" : ""}`);
  });
});

describe("the lines of a cart", () => {
  it("get a new line at the end, and another in the place of the one of its sku", () => {
    expect(putLine([tea], pot)).toEqual([tea, pot]);
    expect(putLine([tea, pot], { ...tea, quantity: 3 })).toEqual([{ ...tea, quantity: 3 }, pot]);
    const { name: _name, ...nameless } = pot;
    expect(putLine([tea, pot], nameless)).toEqual([tea, nameless]);
  });

  it("are the same when what is put in is there already, or what is taken out is not", () => {
    const lines = [tea, pot];
    expect(putLine(lines, { ...pot })).toBe(lines);
    expect(removeLine(lines, "cup")).toBe(lines);
    expect(removeLine(lines, "tea")).toEqual([pot]);
  });

  it("stay one for each sku, in the order in which they came first, whatever is put in and taken out", () => {
    const step = fc.record({ sku: fc.constantFrom("a", "b", "c"), quantity: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let lines: readonly CartLine[] = [];
        const model = new Map<string, number>();
        for (const { sku, quantity } of steps) {
          lines =
            quantity === 0 ? removeLine(lines, sku) : putLine(lines, { sku, quantity, unit_price: "1" });
          if (quantity === 0) model.delete(sku);
          else model.set(sku, quantity);
        }
        expect(lines.map((line) => [line.sku, line.quantity])).toEqual([...model]);
      }),
    );
  });
});

describe("the total of a cart", () => {
  const totalOf = (...lines: [quantity: number, price: string][]) =>
    cartTotal(lines.map(([quantity, unit_price], at) => ({ sku: `s${at}`, quantity, unit_price })));

  it.each([
    [[], "0"],
    [[[1, "0"]], "0"],
    [[[3, "0.1"]], "0.3"],
    [
      [
        [1, "0.1"],
        [1, "0.2"],
      ],
      "0.3",
    ],
    [[[9999, "0.0001"]], "0.9999"],
    [
      [
        [2, "12.5"],
        [1, "30"],
      ],
      "55",
    ],
    [[[1, "999999999999.99"]], "999999999999.99"],
    [
      [
        [7, "14285714285.7141"],
        [1, "0.0013"],
      ],
      "100000000000",
    ],
  ] as [[number, string][], string][])("of %j is %s", (lines, total) => {
    expect(totalOf(...lines)).toBe(total);
  });

  it("is none above the highest amount", () => {
    expect(totalOf([1, "999999999999.99"], [1, "0.0001"])).toBeUndefined();
    expect(totalOf([9999, "999999999999.99"])).toBeUndefined();
  });

  it("is exact for any prices", () => {
    const line = fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 0, max: 10 ** 9 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 50 }), fc.integer({ min: 0, max: 4 }), (lines, decimals) => {
        const spell = (units: bigint) => {
          const digits = String(units).padStart(decimals + 1, "0");
          const cut = digits.length - decimals;
          return decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
        };
        const expected = lines.reduce((sum, [quantity, units]) => sum + BigInt(quantity) * BigInt(units), 0n);
        const total = totalOf(
          ...lines.map(([quantity, units]) => [quantity, spell(BigInt(units))] as [number, string]),
        );
        const scaled = (total ?? "").split(".");
        const units = BigInt((scaled[0] ?? "") + (scaled[1] ?? "").padEnd(4, "0"));
        if (total === undefined)
          expect(expected).toBeGreaterThan((99_999_999_999_999n * 10n ** BigInt(decimals)) / 100n);
        else expect(units).toBe(expected * 10n ** BigInt(4 - decimals));
      }),
    );
  });
});

it("remembers a deleted cart for thirty days", () => {
  expect(tombstonesSince(new Date("2026-11-21T09:30:00Z"))).toEqual(new Date("2026-10-22T09:30:00Z"));
});
