import type { oas31, ZodOpenApiSecuritySchemeObject } from "zod-openapi";
import { type Operation, staffScopeOf } from "#contracts/operation.ts";
import { PORTAL_ACCESS, portalScopes } from "#contracts/portal-links.ts";
import { API_KEY_SCOPES, ROLE_SCOPES, type Scope } from "#contracts/scopes.ts";

/** How a caller can show who it is. */
export function securitySchemes(origin: string): Record<string, ZodOpenApiSecuritySchemeObject> {
  return {
    apiKey: {
      type: "http",
      scheme: "bearer",
      description: "An API key of one tenant, `ph_…`, with scopes. It is shown once, when it is made.",
    },
    portalToken: {
      type: "http",
      scheme: "bearer",
      description:
        "The last part of a link to the consumer portal, `posthorn_portal_…`: it holds what the link gives until that ends.",
    },
    staffSession: {
      type: "apiKey",
      in: "cookie",
      name: `${origin.startsWith("https://") ? "__Host-" : ""}posthorn.session_token`,
      description:
        "The session of a member of staff who is signed in to the console. The role decides on the scopes; changes are taken from the console's own pages only.",
    },
  };
}

/** Whether an API key can hold what the call needs. */
export function takesApiKey({ scope }: Operation): boolean {
  return scope === null || API_KEY_SCOPES.some((held) => held === scope);
}

const PORTAL: ReadonlySet<Scope> = new Set(portalScopes(PORTAL_ACCESS));

/** Whether a link to the portal can give what the call needs. */
export function takesPortalToken({ scope }: Operation): boolean {
  return scope === null || PORTAL.has(scope);
}

/** Whether some role of staff holds what the call needs. */
function takesStaff(operation: Operation): boolean {
  const scope = staffScopeOf(operation);
  return scope === null || Object.values(ROLE_SCOPES).some((held) => held.includes(scope));
}

/** Whether staff have to name the tenant that the call is about. */
export function staffNameTenant(operation: Operation): boolean {
  return takesStaff(operation) && operation.tenant !== "none";
}

/** The ways to authenticate that the call takes, each with the scope that it needs. */
export function security(operation: Operation): oas31.SecurityRequirementObject[] {
  const listed = (scope: Scope | null) => (scope === null ? [] : [scope]);
  return [
    ...(takesApiKey(operation) ? [{ apiKey: listed(operation.scope) }] : []),
    ...(takesPortalToken(operation) ? [{ portalToken: listed(operation.scope) }] : []),
    ...(takesStaff(operation) ? [{ staffSession: listed(staffScopeOf(operation)) }] : []),
  ];
}
