import * as z from "zod";
import { idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageOf, pageQuery, Timestamp } from "./page.ts";
import { storableText } from "./text.ts";

/** The header by which signed-in staff name the tenant they act on; an API key is bound to its own. */
export const TENANT_HEADER = "posthorn-tenant";

// The bounds of what a tenant can have of its own.
const MAX_TENANT_RATE = 1_000_000;
const MAX_RETENTION_DAYS = 3650;
const MAX_NAME = 100;

const Rate = z.int().min(0).max(MAX_TENANT_RATE).nullable();
const RetentionDays = z.int().min(1).max(MAX_RETENTION_DAYS).nullable();

const own = {
  retention_days: RetentionDays.describe(
    "Days for which its events, deliveries and attempts are kept; null: as the settings say. A change holds from the next run of retention on.",
  ).meta({ example: 30 }),
  request_rate: Rate.describe(
    "Requests per second of each of its keys; 0: no limit, null: as the settings say.",
  ).meta({ example: 100 }),
  event_rate: Rate.describe(
    "Events per second that it may publish; 0: no limit, null: as the settings say.",
  ).meta({ example: 5000 }),
};

export const Tenant = z
  .object({
    id: idSchema("tenant"),
    name: z.string().meta({ example: "Acme" }),
    ...own,
    created_at: Timestamp,
  })
  .meta({ id: "Tenant" });
export type Tenant = z.infer<typeof Tenant>;

const Name = storableText()
  .min(1)
  .max(MAX_NAME)
  .refine((text) => text.trim() !== "", "must not be blank")
  .describe("What people call it.")
  .meta({ example: "Acme" });

const NewTenant = z
  .strictObject({
    name: Name,
    retention_days: own.retention_days.default(null),
    request_rate: own.request_rate.default(null),
    event_rate: own.event_rate.default(null),
  })
  .meta({ id: "NewTenant" });
export type NewTenant = z.infer<typeof NewTenant>;

const TenantPatch = z
  .strictObject({
    name: Name.optional(),
    retention_days: own.retention_days.optional(),
    request_rate: own.request_rate.optional(),
    event_rate: own.event_rate.optional(),
  })
  .meta({ id: "TenantPatch" });
export type TenantPatch = z.infer<typeof TenantPatch>;

const common = { tag: "Tenants", tenant: "none" } as const;
const params = z.object({ id: idParameter("tenant") });

export const listTenants = operation({
  ...common,
  id: "listTenants",
  method: "GET",
  path: "/tenants",
  summary: "List tenants, newest first (staff)",
  scope: "tenants:read",
  query: z.strictObject(pageQuery),
  response: pageOf(Tenant, "TenantPage"),
  status: 200,
});

export const createTenant = operation({
  ...common,
  id: "createTenant",
  method: "POST",
  path: "/tenants",
  summary: "Make a tenant (staff)",
  description: "It has no API key and no endpoint yet.",
  scope: "tenants:write",
  body: NewTenant,
  response: Tenant,
  status: 201,
});

export const getTenant = operation({
  ...common,
  id: "getTenant",
  method: "GET",
  path: "/tenants/{id}",
  summary: "Read one tenant (staff)",
  scope: "tenants:read",
  params,
  response: Tenant,
  status: 200,
});

export const patchTenant = operation({
  ...common,
  id: "patchTenant",
  method: "PATCH",
  path: "/tenants/{id}",
  summary: "Change a tenant (staff)",
  description:
    "What is not named stays. Limits hold for each request from now on, retention from its next run on.",
  scope: "tenants:write",
  params,
  body: TenantPatch,
  response: Tenant,
  status: 200,
});
