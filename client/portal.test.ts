import { expect, it } from "vitest";
import { accessInWords, linkRefusal, portalHref } from "./portal.ts";

it("says in words what a link may do", () => {
  expect(accessInWords([])).toBe("look only");
  expect(accessInWords(["endpoints", "replay"])).toBe("endpoints, replay");
  expect(accessInWords(["endpoints", "secrets", "replay"])).toBe("everything");
});

it("refuses what the link does not hold, and says whom to ask", () => {
  expect(linkRefusal(["webhooks:write"], "webhooks:write", "change endpoints")).toBeNull();
  expect(linkRefusal(["webhooks:read"], "webhooks:write", "change endpoints")).toBe(
    "This link may not change endpoints. Ask whoever sent it to you for one that may.",
  );
});

it("keeps every address within the portal, whatever the token is", () => {
  expect(portalHref("posthorn_portal_a", "/")).toBe("/portal/posthorn_portal_a");
  expect(portalHref("posthorn_portal_a", "/deliveries?status=failed")).toBe(
    "/portal/posthorn_portal_a/deliveries?status=failed",
  );
  expect(portalHref("../x?y", "/endpoints")).toBe("/portal/..%2Fx%3Fy/endpoints");
});
