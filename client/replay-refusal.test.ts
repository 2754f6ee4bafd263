import { describe, expect, it } from "vitest";
import type { Role } from "#contracts/scopes.ts";
import { replayRefusal } from "./replay-refusal.ts";
import { type Refuse, roleRefusal } from "./role-refusal.ts";
import { makeDelivery, makeEndpoint } from "./testing/make.ts";

const as =
  (role: Role): Refuse =>
  (scope, what) =>
    roleRefusal(role, scope, what);
const failed = makeDelivery({ status: "failed" });

describe("replayRefusal", () => {
  it.each(["support", "operator", "admin"] as const)("lets %s replay what has ended", (role) => {
    for (const status of ["failed", "delivered", "cancelled", "dismissed"] as const)
      expect(replayRefusal(makeDelivery({ status }), makeEndpoint(), as(role))).toBeNull();
  });

  it("tells a viewer whom to ask", () => {
    expect(replayRefusal(failed, makeEndpoint(), as("viewer"))).toContain(
      "Your role, viewer, may not replay",
    );
  });

  it.each(["pending", "in_flight"] as const)("has nothing to replay while it is %s", (status) => {
    expect(replayRefusal(makeDelivery({ status }), makeEndpoint(), as("admin"))).not.toBeNull();
  });

  it("names the endpoint when that is what stands in the way", () => {
    expect(replayRefusal(failed, makeEndpoint({ status: "disabled" }), as("admin"))).toContain("disabled");
    expect(replayRefusal(failed, null, as("admin"))).toContain("deleted");
  });

  it("does not refuse while the endpoint is still being looked up", () => {
    expect(replayRefusal(failed, undefined, as("admin"))).toBeNull();
  });
});
