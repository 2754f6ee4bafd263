import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { createTenant, getTenant, listTenants, patchTenant, type TenantPatch } from "#contracts/tenants.ts";
import { call } from "./api.ts";

/** Begins with the key of `tenantsQuery`, so that both are read anew together. */
const TENANTS = ["tenants"] as const;
export const tenantsKey = TENANTS;

export const tenantListQuery = infiniteQueryOptions({
  queryKey: [...TENANTS, "list"],
  queryFn: ({ pageParam, signal }) => call(listTenants, { query: { after: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
});

export const tenantQuery = (id: string) =>
  queryOptions({
    queryKey: [...TENANTS, "one", id],
    queryFn: ({ signal }) => call(getTenant, { params: { id }, signal }),
  });

export const makeTenant = (body: Required<TenantPatch>, idempotencyKey: string) =>
  call(createTenant, { body, idempotencyKey });
export const changeTenant = (id: string, body: TenantPatch) => call(patchTenant, { params: { id }, body });
