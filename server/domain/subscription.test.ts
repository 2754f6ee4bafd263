import { expect, it } from "vitest";
import { subscribes } from "./subscription.ts";

it.each([
  ["OrderCreated", "OrderCreated", true],
  ["Order*", "OrderCreated", true],
  ["Order*", "CartCreated", false],
  ["*", "OrderCreated", true],
  ["*", "posthornish", true],
])("%s takes in %s: %s", (wanted, type, expected) => {
  expect(subscribes([wanted], type)).toBe(expected);
});

it("takes in events about Posthorn itself only where they are asked for", () => {
  const type = "posthorn.endpoint.disabled";
  for (const wanted of ["*", "p*", "posthorn*"])
    expect([wanted, subscribes([wanted], type)]).toEqual([wanted, false]);
  for (const wanted of ["posthorn.*", "posthorn.endpoint.*", type])
    expect([wanted, subscribes([wanted], type)]).toEqual([wanted, true]);
  expect(subscribes(["*", "posthorn.*"], type)).toBe(true);
});
