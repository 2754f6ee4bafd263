import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useEffect } from "react";
import type { Tenant } from "#contracts/tenants.ts";
import { chooseTenant, rememberedTenant, rememberTenant, tenantsQuery } from "./tenants.ts";

const TENANT_PARAMETER = "tenant";

/**
 * The tenant that the address names, so that a copied address shows everybody the same. Then nobody waits for the list of
 * them; `null` while it has to be waited for.
 */
export function useTenantChoice() {
  const tenants = useQuery(tenantsQuery);
  const [inAddress, setInAddress] = useQueryState(TENANT_PARAMETER, parseAsString);
  const tenantId = chooseTenant(tenants.data, { inAddress, remembered: rememberedTenant });
  useEffect(() => {
    if (!tenantId) return;
    rememberTenant(tenantId);
    if (tenantId !== inAddress) void setInAddress(tenantId, { history: "replace" });
  }, [tenantId, inAddress, setInAddress]);
  return { tenants, tenantId };
}

/** The tenant's name, or its id when it is none of those listed. */
export const tenantName = (tenants: readonly Tenant[], tenantId: string): string =>
  tenants.find((tenant) => tenant.id === tenantId)?.name ?? tenantId;

/** An address within the console that stays with the tenant. `path` may have a query of its own. */
export function withTenant(path: string, tenantId: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${TENANT_PARAMETER}=${encodeURIComponent(tenantId)}`;
}
