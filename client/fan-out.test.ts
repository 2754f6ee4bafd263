import { expect, it } from "vitest";
import type { Delivery } from "#contracts/deliveries.ts";
import { fanOutOf } from "./fan-out.ts";
import { makeDelivery, testId } from "./testing/make.ts";

const of = (...statuses: Delivery["status"][]) =>
  fanOutOf(statuses.map((status, n) => makeDelivery({ id: testId("delivery", n), status })));

it("says how many endpoints have it and what became of the rest", () => {
  expect(of("delivered", "failed", "delivered", "delivered")).toEqual({
    tone: "bad",
    headline: "Delivered to 3 of 4 endpoints",
    rest: "1 failed",
    failed: 1,
  });
  expect(of("delivered", "pending", "in_flight", "cancelled", "dismissed")).toMatchObject({
    tone: "wait",
    headline: "Delivered to 1 of 5 endpoints",
    rest: "2 still being tried, 1 cancelled, 1 dismissed",
  });
});

it("has words for one endpoint, for all and for none", () => {
  expect(of("delivered")).toMatchObject({ tone: "good", headline: "Delivered to its endpoint", rest: null });
  expect(of("delivered", "delivered")).toMatchObject({ headline: "Delivered to 2 of 2 endpoints" });
  expect(of("cancelled")).toMatchObject({ tone: "idle", headline: "Delivered to 0 of 1 endpoint" });
  expect(of()).toMatchObject({ tone: "idle", headline: "No endpoint listened to it" });
});
