import { withTenant } from "./use-tenant.ts";

const KEY = "posthorn.deliveries";
const LIST = "/deliveries";

/** Notes how the list was filtered when one left it, for this tab. */
export function noteListAddress(tenantId: string, search: string): void {
  sessionStorage.setItem(`${KEY}.${tenantId}`, search);
}

/** The list as one left it. */
export function listAddress(tenantId: string): string {
  const search = sessionStorage.getItem(`${KEY}.${tenantId}`);
  return search ? LIST + search : withTenant(LIST, tenantId);
}
