import type { Operation } from "#contracts/operation.ts";
import { takesApiKey, takesPortalToken } from "#server/http/openapi/access.ts";
import type { Answer, TestApi } from "../test-support.ts";
import { type ApiCall, fillPath } from "./api-calls.ts";
import { makeParams, makePortalToken, type Params, resourcePaths, type Shop } from "./resources.ts";
import { addTwoFactor, findTestStaff, restorePasswords, testCode } from "./staff-api.ts";

/** A call as it should be. */
export interface RightRequest {
  shop: Shop;
  method: string;
  /** Below the API's prefix, without a query. */
  path: string;
  params: Params;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

let made = 0;
const adminId = findTestStaff("role=admin")?.userId ?? "";
/** What must be there of the caller's authenticator app. */
const TWO_FACTOR: Readonly<Record<string, "begun" | "on">> = {
  "POST /account/two-factor/confirmation": "begun",
  "POST /account/two-factor/backup-codes": "on",
  "DELETE /account/two-factor": "on",
};

/** A request that the call takes, on resources of its own. A new tenant's, so that no limit on one tenant is ever met. */
export async function rightRequest(api: TestApi, call: ApiCall): Promise<RightRequest> {
  const { operation, body } = call;
  const shop = { api, tenant: await api.addTenant() };
  if (operation.path.startsWith("/account/")) await restorePasswords(api);
  const needsTwoFactor = TWO_FACTOR[call.name];
  if (needsTwoFactor) await addTwoFactor(api, adminId, needsTwoFactor === "on");
  const params = await makeParams(shop, operation.path);
  const version =
    operation.ifMatch === "required" ? await versionOf(shop, operation.path, params) : undefined;
  return {
    shop,
    method: operation.method,
    path: fillPath(operation.path, params),
    params,
    headers: {
      ...(await credentials(shop, operation)),
      ...(body ? { "content-type": "application/json" } : {}),
      ...(operation.idempotencyKey === "required" ? { "idempotency-key": `right-${++made}` } : {}),
      ...(version === undefined ? {} : { "if-match": version }),
    },
    body: body && JSON.stringify(needsTwoFactor === "begun" ? { code: testCode() } : body.example),
  };
}

/** Those of a key where the call takes one; else of a link to the portal, or of an admin. */
async function credentials(shop: Shop, operation: Operation): Promise<Record<string, string>> {
  if (takesApiKey(operation)) return { authorization: `Bearer ${shop.tenant.key}` };
  if (takesPortalToken(operation)) return { authorization: `Bearer ${await makePortalToken(shop)}` };
  return staffHeaders(shop, "admin");
}

/** What the console of a member of staff sends, where `findStaff` takes `role=<role>` for a session. */
export function staffHeaders({ tenant }: Shop, role: string): Record<string, string> {
  return { cookie: `role=${role}`, "sec-fetch-site": "same-origin", "posthorn-tenant": `ten_${tenant.id}` };
}

/** Sends a request, with some of it replaced. A header that is `null` is left out. */
export function sendRight(
  { shop, ...right }: RightRequest,
  other: {
    method?: string;
    path?: string;
    query?: string;
    body?: string;
    headers?: Record<string, string | null>;
  } = {},
): Promise<Answer> {
  const { method, path, body } = { ...right, ...other };
  const headers = Object.entries({ ...right.headers, ...other.headers }).filter(
    ([, value]) => value !== null,
  );
  return shop.api.call(method, path + (other.query ?? ""), {
    key: null,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(body === undefined ? {} : { body }),
  });
}

/** Sees to it that the key's use shows by now: otherwise that is written a second later, in the midst of what follows. */
export async function noteKeyUse({ shop }: RightRequest): Promise<void> {
  await shop.api.call("GET", "/orders", { key: shop.tenant.key });
  await shop.api.services.keyUsage.write();
}

/** The tag of the resource that the path is about. */
async function versionOf({ api, tenant }: Shop, template: string, params: Params): Promise<string> {
  const resource = resourcePaths(template).at(-1) ?? template;
  const { headers } = await api.call("GET", fillPath(resource, params), { key: tenant.key });
  return headers.get("etag") ?? '"1"';
}
