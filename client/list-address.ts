import { withTenant } from "./use-tenant.ts";

const KEY = "posthorn.deliveries";
const LIST = "/deliveries";

/** Of the delivery that is shown beside the list. */
export const OPEN_PARAMETER = "open";

/** Notes how the list is filtered, for this tab. */
export function noteListAddress(tenantId: string): void {
  const { pathname, search } = window.location;
  const kept = new URLSearchParams(search);
  kept.delete(OPEN_PARAMETER);
  // On the way to another page the list is still drawn, but the address is that page's already.
  if (pathname === LIST) sessionStorage.setItem(`${KEY}.${tenantId}`, kept.size > 0 ? `?${kept}` : "");
}

/** The list as one left it. */
export function listAddress(tenantId: string): string {
  const search = sessionStorage.getItem(`${KEY}.${tenantId}`);
  return search ? LIST + search : withTenant(LIST, tenantId);
}
