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
