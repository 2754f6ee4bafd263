import { listTenants } from "#contracts/tenants.ts";
import type { TenantRow } from "#db/queries/tenants.ts";
import { listTenants as readTenants } from "#server/tenants/list-tenants.ts";
import { toTenant } from "#server/tenants/to-tenant.ts";
import { listRoute } from "../list-route.ts";

export const tenantRoutes = [
  listRoute(listTenants, {
    read: (conn, _ctx, _input, page) => readTenants(conn, page),
    position: (tenant: TenantRow) => [tenant.createdPosition, tenant.id],
    show: toTenant,
  }),
];
