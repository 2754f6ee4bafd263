import * as z from "zod";
import { idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageOf, pageQuery, Timestamp } from "./page.ts";

/** The header by which signed-in staff name the tenant they act on; an API key is bound to its own. */
export const TENANT_HEADER = "posthorn-tenant";

export const Tenant = z
  .object({ id: idSchema("tenant"), name: z.string().meta({ example: "Acme" }), created_at: Timestamp })
  .meta({ id: "Tenant" });
export type Tenant = z.infer<typeof Tenant>;

export const listTenants = operation({
  id: "listTenants",
  tag: "Tenants",
  method: "GET",
  path: "/tenants",
  summary: "List tenants, newest first (staff)",
  scope: "tenants:read",
  tenant: "none",
  query: z.strictObject(pageQuery),
  response: pageOf(Tenant, "TenantPage"),
  status: 200,
});
