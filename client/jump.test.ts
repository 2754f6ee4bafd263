import { expect, it } from "vitest";
import { jumpFor } from "./jump.ts";
import { testId } from "./testing/make.ts";

it("knows what an id is of, whatever surrounds it", () => {
  const id = testId("delivery");
  expect(jumpFor(` ${id.toUpperCase()}\n`)).toEqual({ kind: "delivery", id, path: `/deliveries/${id}` });
  expect(jumpFor(testId("replay"))?.path).toBe(`/replays/${testId("replay")}`);
  expect(jumpFor(testId("tenant"))).toMatchObject({ kind: "tenant", path: null });
});

it("leads nowhere for what is no id, or has no page", () => {
  for (const text of ["", "dlv_", "order 1001", testId("attempt")]) expect(jumpFor(text)).toBeNull();
});

it("leads from an id to the page of its thing, however it was pasted", () => {
  expect(jumpFor(` ${testId("event").toUpperCase()}\n`)?.path).toBe(`/events/${testId("event")}`);
  expect(jumpFor(testId("delivery"))?.path).toBe(`/deliveries/${testId("delivery")}`);
  expect(jumpFor(testId("endpoint"))?.path).toBe(`/endpoints/${testId("endpoint")}`);
  expect(jumpFor(testId("replay"))?.path).toBe(`/replays/${testId("replay")}`);
});

it("knows no page of anything else", () => {
  for (const text of ["", "evt_", "inv_7", testId("tenant"), `${testId("event")}/../x`])
    expect(jumpFor(text)?.path ?? null).toBeNull();
});
