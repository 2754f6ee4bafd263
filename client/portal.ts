import { queryOptions } from "@tanstack/react-query";
import { getPortal, PORTAL_ACCESS, type PortalAccess } from "#contracts/portal-links.ts";
import type { Scope } from "#contracts/scopes.ts";
import { call } from "./api.ts";

/** What the link gives that this page was opened with. */
export const portalQuery = queryOptions({
  queryKey: ["portal"],
  queryFn: ({ signal }) => call(getPortal, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What each access lets the bearer of a link do. Total: a new access does not compile until it has words. */
export const ACCESS_WORDS: Record<PortalAccess, { label: string; allows: string }> = {
  endpoints: { label: "Endpoints", allows: "register, change, pause, disable and delete endpoints" },
  secrets: { label: "Secrets", allows: "rotate and revoke signing secrets" },
  replay: { label: "Replay", allows: "send again, recover, dismiss, cancel, and send test events" },
};

/** What a link lets one do beyond looking, in few words. */
export function accessInWords(access: readonly PortalAccess[]): string {
  if (access.length === 0) return "look only";
  if (access.length === PORTAL_ACCESS.length) return "everything";
  return access.map((each) => ACCESS_WORDS[each].label.toLowerCase()).join(", ");
}

/** Why a link may not do what needs a scope, and whom to ask; `null` when it may. `what` completes "may not …". */
export function linkRefusal(scopes: readonly string[], scope: Scope, what: string): string | null {
  if (scopes.includes(scope)) return null;
  return `This link may not ${what}. Ask whoever sent it to you for one that may.`;
}

/** The address of a page of the portal. `path` begins with `/`, and may have a query of its own. */
export function portalHref(token: string, path: string): string {
  const base = `/portal/${encodeURIComponent(token)}`;
  return path === "/" ? base : base + path;
}

/** Whether the last part of an address can be a token at all. What cannot is not sent anywhere. */
export const isToken = (text: string): boolean => /^posthorn_portal_\w{1,200}$/.test(text);
