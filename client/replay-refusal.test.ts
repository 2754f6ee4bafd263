import { describe, expect, it } from "vitest";
import { replayRefusal } from "./replay-refusal.ts";
import { makeDelivery, makeEndpoint } from "./testing/make.ts";

const failed = makeDelivery({ status: "failed" });

describe("replayRefusal", () => {
  it.each(["support", "operator", "admin"] as const)("lets %s replay what has ended", (role) => {
    for (const status of ["failed", "delivered", "cancelled", "dismissed"] as const)
      expect(replayRefusal(makeDelivery({ status }), makeEndpoint(), role)).toBeNull();
  });

  it("tells a viewer whom to ask", () => {
    expect(replayRefusal(failed, makeEndpoint(), "viewer")).toContain(
      "Your role, viewer, may look but not replay",
    );
  });

  it.each(["pending", "in_flight"] as const)("has nothing to replay while it is %s", (status) => {
    expect(replayRefusal(makeDelivery({ status }), makeEndpoint(), "admin")).not.toBeNull();
  });

  it("names the endpoint when that is what stands in the way", () => {
    expect(replayRefusal(failed, makeEndpoint({ status: "disabled" }), "admin")).toContain("disabled");
    expect(replayRefusal(failed, null, "admin")).toContain("deleted");
  });

  it("does not refuse while the endpoint is still being looked up", () => {
    expect(replayRefusal(failed, undefined, "admin")).toBeNull();
  });
});
