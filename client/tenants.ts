import { queryOptions } from "@tanstack/react-query";
import { fromId } from "#contracts/ids.ts";
import { listTenants } from "#contracts/tenants.ts";
import { call, readAll } from "./api.ts";

const MAX_PAGES = 10;
const REMEMBERED = "posthorn.tenant";

/** The tenants that staff may choose from, newest first; the first thousand of them. */
export const tenantsQuery = queryOptions({
  queryKey: ["tenants"],
  queryFn: ({ signal }) =>
    readAll((after) => call(listTenants, { query: { limit: "100", after }, signal }), MAX_PAGES),
  staleTime: 60_000,
});

/** The tenant that this browser looked at last. */
export function rememberedTenant(): string | null {
  return localStorage.getItem(REMEMBERED);
}

export function rememberTenant(tenantId: string): void {
  localStorage.setItem(REMEMBERED, tenantId);
}

/**
 * Which tenant to show: the one in the address, else the remembered one if it still exists, else the oldest. `null` where
 * there is none, or as long as the list has to be known and is not.
 */
export function chooseTenant(
  tenants: readonly { id: string }[] | undefined,
  wanted: { inAddress: string | null; remembered: () => string | null },
): string | null {
  if (wanted.inAddress && fromId("tenant", wanted.inAddress)) return wanted.inAddress;
  if (!tenants) return null;
  const remembered = wanted.remembered();
  if (tenants.some((tenant) => tenant.id === remembered)) return remembered;
  return tenants.at(-1)?.id ?? null;
}
