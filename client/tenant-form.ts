import type { Tenant, TenantPatch } from "#contracts/tenants.ts";

/** What the form of a tenant holds: texts as they are typed. */
export interface TenantForm {
  name: string;
  retention_days: string;
  request_rate: string;
  event_rate: string;
}
const TENANT_NUMBERS = ["retention_days", "request_rate", "event_rate"] as const;

export const NEW_TENANT: TenantForm = { name: "", retention_days: "", request_rate: "", event_rate: "" };

const shown = (value: number | null) => (value === null ? "" : String(value));

export const formOf = (tenant: Tenant): TenantForm => ({
  name: tenant.name,
  retention_days: shown(tenant.retention_days),
  request_rate: shown(tenant.request_rate),
  event_rate: shown(tenant.event_rate),
});

type Errors = Partial<Record<keyof TenantForm, string>>;

/** What a form asks for: every member, `null` where a field is empty; or what is wrong with which field. */
export function readTenantForm(
  form: TenantForm,
): { body: Required<TenantPatch>; errors?: never } | { errors: Errors } {
  const errors: Errors = {};
  if (form.name.trim() === "") errors.name = "Give it a name.";
  const numberOf = (member: (typeof TENANT_NUMBERS)[number]): number | null => {
    const text = form[member].trim();
    if (text === "") return null;
    if (!/^\d{1,9}$/.test(text)) errors[member] = "A whole number, or nothing for the default.";
    return Number(text);
  };
  const body = {
    name: form.name.trim(),
    retention_days: numberOf("retention_days"),
    request_rate: numberOf("request_rate"),
    event_rate: numberOf("event_rate"),
  };
  return Object.keys(errors).length > 0 ? { errors } : { body };
}

/** The members of `body` that differ from what the tenant has. */
export function tenantChanges(tenant: Tenant, body: Required<TenantPatch>): TenantPatch {
  const changed = Object.entries(body).filter(([name, value]) => tenant[name as keyof Tenant] !== value);
  return Object.fromEntries(changed);
}

/** A limit in words. */
export function rateWords(rate: number | null): string {
  if (rate === null) return "default";
  return rate === 0 ? "no limit" : `${rate.toLocaleString("en")} / s`;
}
