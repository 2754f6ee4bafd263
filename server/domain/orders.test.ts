import { describe, expect, it } from "vitest";
import { ORDER_STATUSES, type OrderStatus } from "#contracts/orders.ts";
import { afterAction, isRepeat, orderLinks, parseOrderId } from "./orders.ts";

describe("the order machine", () => {
  it.each([
    ["awaiting-payment", "awaiting-payment", "paid", undefined, "cancelled"],
    ["paid", "paid", undefined, "shipped", "cancelled"],
    ["shipped", undefined, undefined, undefined, undefined],
    ["cancelled", undefined, undefined, undefined, undefined],
  ] as const)("takes %s by update, pay, ship and cancel to %s, %s, %s and %s", (status, ...wanted) => {
    const after = (["update", "pay", "ship", "cancel"] as const).map((action) => afterAction(status, action));
    expect(after).toEqual(wanted);
  });

  it("knows as repeats only a second cancellation and a second shipment", () => {
    const actions = ["update", "pay", "ship", "cancel"] as const;
    const repeats = ORDER_STATUSES.flatMap((status) =>
      actions.filter((action) => isRepeat(status, action)).map((action) => [status, action]),
    );
    expect(repeats).toEqual([
      ["shipped", "ship"],
      ["cancelled", "cancel"],
    ]);
  });

  it("lists the links that are valid in each state, with the deployment's prefix", () => {
    const rels = (status: OrderStatus) => orderLinks({ id: "7", status }, "/p").map((link) => link.rel);
    expect(ORDER_STATUSES.map(rels)).toEqual([
      ["self", "pay", "cancel"],
      ["self", "cancel", "ship"],
      ["self"],
      ["self"],
    ]);
    expect(orderLinks({ id: "7", status: "awaiting-payment" }, "/p")).toEqual([
      { rel: "self", href: "/p/orders/7", method: "GET" },
      { rel: "pay", href: "/p/orders/7/payment", method: "POST" },
      { rel: "cancel", href: "/p/orders/7/cancellation", method: "PUT" },
    ]);
  });
});

it("takes an order's id only as the decimal text of a positive int64", () => {
  expect(parseOrderId("9223372036854775807")).toBe("9223372036854775807");
  for (const text of [
    "9223372036854775808",
    "0",
    "01",
    "-1",
    "1.0",
    "1e3",
    "",
    "abc",
    "99999999999999999999",
  ])
    expect(parseOrderId(text), text).toBeUndefined();
});
