import { expect, it } from "vitest";
import { pathOfId } from "./id-path.ts";
import { testId } from "./testing/make.ts";

it("leads from an id to the page of its thing, however it was pasted", () => {
  expect(pathOfId(` ${testId("event").toUpperCase()}\n`)).toBe(`/events/${testId("event")}`);
  expect(pathOfId(testId("delivery"))).toBe(`/deliveries/${testId("delivery")}`);
  expect(pathOfId(testId("endpoint"))).toBe(`/endpoints/${testId("endpoint")}`);
  expect(pathOfId(testId("replay"))).toBe(`/replays/${testId("replay")}`);
});

it("knows no page of anything else", () => {
  for (const text of ["", "evt_", "inv_7", testId("tenant"), `${testId("event")}/../x`])
    expect(pathOfId(text)).toBeNull();
});
