import { describe, expect, it } from "vitest";
import { DELIVERY_STATUSES } from "#contracts/deliveries.ts";
import { deliveryLinks, REPLAYABLE } from "./deliveries.ts";

describe("deliveryLinks", () => {
  it.each([
    ["pending", ["cancel"]],
    ["in_flight", []],
    ["delivered", ["replay"]],
    ["failed", ["replay", "dismiss"]],
    ["cancelled", ["replay"]],
    ["dismissed", ["replay"]],
  ] as const)("offers for one that is %s: %j", (status, actions) => {
    const links = deliveryLinks(status, "/api/v1/deliveries/dlv_1");
    expect(links.map(({ rel }) => rel)).toEqual(["self", "attempts", ...actions]);
    for (const { rel, href, method } of links.slice(2))
      expect([href, method]).toEqual([`/api/v1/deliveries/dlv_1/${rel}`, "POST"]);
  });

  it("offers a replay in exactly the states from which one is made", () => {
    const offered = DELIVERY_STATUSES.filter((status) =>
      deliveryLinks(status, "").some(({ rel }) => rel === "replay"),
    );
    expect(offered).toEqual(REPLAYABLE);
  });
});
