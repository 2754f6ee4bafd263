import { expect, it } from "vitest";
import { roleRefusal } from "./role-refusal.ts";

it("names the least role that may, and says nothing to those who may", () => {
  expect(roleRefusal("viewer", "webhooks:write", "change endpoints")).toBe(
    "Your role, viewer, may not change endpoints. Ask somebody with the role operator.",
  );
  expect(roleRefusal("operator", "keys:manage", "make API keys")).toContain("the role admin");
  expect(roleRefusal("admin", "keys:manage", "make API keys")).toBeNull();
});
