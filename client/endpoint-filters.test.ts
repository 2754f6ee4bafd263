import { expect, it } from "vitest";
import { matching } from "./endpoint-filters.ts";
import { makeEndpoint, testId } from "./testing/make.ts";

const shop = makeEndpoint({ id: testId("endpoint", 1), url: "https://shop.example/hooks" });
const bank = makeEndpoint({
  id: testId("endpoint", 2),
  url: "https://bank.example/in",
  description: "Ledger",
});
const found = (status: ("paused" | "enabled")[], q: string) =>
  matching([shop, bank], { status, q }, (id) => (id === bank.id ? "paused" : "enabled"));

it("finds endpoints by URL, description or id, and by state", () => {
  expect(found([], " SHOP.example ")).toEqual([shop]);
  expect(found([], "ledger")).toEqual([bank]);
  expect(found([], shop.id)).toEqual([shop]);
  expect(found(["paused"], "")).toEqual([bank]);
  expect(found(["paused"], "shop")).toEqual([]);
});
