import { randomUUID } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { ID_PREFIXES, type IdKind } from "#contracts/ids.ts";
import type { Answer, TestApi, TestTenant } from "../test-support.ts";
import { findTestStaff } from "./staff-api.ts";

/** What names a resource in a path: the parameters of the path up to it. */
export type Params = Readonly<Record<string, string>>;

interface ResourceKind {
  /** Makes one for the tenant, below what `parents` name, and gives the value that names it in its path. */
  make(shop: Shop, parents: Params): Promise<string>;
  /** Whether two tenants can have one each of the same name. */
  isName?: true;
}

/** A tenant with the means to make things for it. */
export interface Shop {
  api: TestApi;
  tenant: TestTenant;
}

async function post(shop: Shop, method: string, path: string, json?: unknown): Promise<Answer> {
  const headers = { "idempotency-key": randomUUID() };
  const answer = await shop.api.call(method, path, { key: shop.tenant.key, json, headers });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

const makeEndpoint = async (shop: Shop): Promise<string> => {
  const json = { url: "https://example.com/webhooks/provider", event_types: ["*"] };
  return (await post(shop, "POST", "/webhook-endpoints", json)).json.id;
};

const makeEvent = async (shop: Shop): Promise<string> =>
  (await post(shop, "POST", "/events", { type: "invoice.viewed", data: { n: 1 } })).json.id;

async function makeRecovery(shop: Shop, endpointId: string): Promise<string> {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  return (await post(shop, "POST", `/webhook-endpoints/${endpointId}/recoveries`, { since })).json.id;
}

/** Staff are no tenant's: an admin makes what is needed. */
const AS_ADMIN = { cookie: "role=admin", "sec-fetch-site": "same-origin" };

const makeStaff = async ({ api }: Shop): Promise<string> => {
  const json = { email: `${randomUUID()}@example.com`, name: "Somebody", role: "viewer" };
  const answer = await api.call("POST", "/staff", { key: null, headers: AS_ADMIN, json });
  if (answer.status >= 300) throw new Error(`POST /staff: ${answer.status} ${answer.text}`);
  return answer.json.id;
};

async function makeSession({ api }: Shop, userId: string): Promise<string> {
  const id = uuidv7();
  await api.services.db.query(
    `insert into staff_sessions (id, token, user_id, expires_at) values ($1, $1, $2, now() + interval '1 hour')`,
    [id, userId],
  );
  return `ses_${id}`;
}

async function makePasskey({ api }: Shop, userId: string): Promise<string> {
  const id = uuidv7();
  await api.services.db.query(
    `insert into staff_passkeys (id, user_id, name, credential_id, public_key, counter, device_type, backed_up)
     values ($1, $2, 'Phone', $1, '', 0, 'singleDevice', false)`,
    [id, userId],
  );
  return `pky_${id}`;
}

/** Each resource by the path that names it. A new kind of path needs its line here. */
const RESOURCES: Readonly<Record<string, ResourceKind>> = {
  "/orders/{id}": {
    async make(shop) {
      const json = { CustomerId: "cus_42", Total: 49.9, Currency: "EUR" };
      return String((await post(shop, "POST", "/orders", json)).json.id);
    },
  },
  "/carts/{cartId}": {
    async make(shop) {
      const items = [{ sku: "TEA-001", quantity: 2, unit_price: 12.5 }];
      return (await post(shop, "POST", "/carts", { owner: "cus_42", currency: "EUR", items })).json.cartId;
    },
  },
  "/carts/{cartId}/items/{sku}": { make: async () => "TEA-001", isName: true },
  "/events/{id}": { make: makeEvent },
  "/event-types/{name}": {
    async make(shop) {
      const before = typesOf.get(shop.tenant.id) ?? 0;
      typesOf.set(shop.tenant.id, before + 1);
      // The first has the name that the contract's examples are about.
      const name = before === 0 ? "invoice.paid" : `invoice.paid_${before}`;
      await post(shop, "PUT", `/event-types/${name}`, { description: "An invoice was sent." });
      return name;
    },
    isName: true,
  },
  "/webhook-endpoints/{id}": { make: makeEndpoint },
  "/webhook-endpoints/{id}/secrets/{kid}": {
    // The one before the current: that can be revoked.
    async make(shop, { id }) {
      const path = `/webhook-endpoints/${id}/secret`;
      const { kid } = (await post(shop, "GET", `${path}s`)).json.items[0];
      await post(shop, "POST", `${path}-rotations`, {});
      return kid;
    },
    isName: true,
  },
  "/deliveries/{id}": {
    async make(shop) {
      await makeEndpoint(shop);
      const eventId = await makeEvent(shop);
      const { json } = await post(shop, "GET", `/deliveries?event_id=${eventId}&limit=1`);
      return json.items[0].id;
    },
  },
  "/replays/{id}": { make: async (shop) => makeRecovery(shop, await makeEndpoint(shop)) },
  "/tenants/{id}": { make: async ({ tenant }) => `ten_${tenant.id}` },
  "/staff/{id}": { make: makeStaff },
  "/staff/{id}/sessions/{sessionId}": {
    make: (shop, { id = "" }) => makeSession(shop, id.replace("usr_", "")),
  },
  // Of the admin that the calls for staff alone are made by.
  "/account/sessions/{sessionId}": {
    make: (shop) => makeSession(shop, findTestStaff(AS_ADMIN.cookie)?.userId ?? ""),
  },
  "/portal-links/{id}": {
    make: async (shop) => (await post(shop, "POST", "/portal-links", { name: "Kim" })).json.id,
  },
  "/account/passkeys/{passkeyId}": {
    make: (shop) => makePasskey(shop, findTestStaff(AS_ADMIN.cookie)?.userId ?? ""),
  },
  "/api-keys/{id}": {
    make: async (shop) =>
      (await post(shop, "POST", "/api-keys", { name: "other", scopes: ["orders:read"] })).json.id,
  },
};
/** The token of a new link to the portal of the tenant. */
export async function makePortalToken(shop: Shop, more: object = {}): Promise<string> {
  const { json } = await post(shop, "POST", "/portal-links", { name: "Kim", ...more });
  return json.url.split("/").at(-1);
}

/** How many event types each tenant has been given. */
const typesOf = new Map<string, number>();

/** The paths within a template that name a resource: `/a/{x}` and `/a/{x}/b/{y}` of `/a/{x}/b/{y}/c`. */
export function resourcePaths(template: string): string[] {
  return [...template.matchAll(/\}/g)].map((match) => template.slice(0, match.index + 1));
}

const parameterOf = (path: string) => /\{(\w+)\}$/.exec(path)?.[1] ?? "";

function kindOf(path: string): ResourceKind {
  const kind = RESOURCES[path];
  if (!kind)
    throw new Error(
      `Nothing is known of ${path}: say in web/testing/resources.ts how to make what it names.`,
    );
  return kind;
}

/** Whether names of that path are told apart by tenant only. */
export const isNamed = (path: string): boolean => kindOf(path).isName === true;

/** Makes all that a path template names, each below the one before it. */
export async function makeParams(shop: Shop, template: string): Promise<Params> {
  let params: Params = {};
  for (const path of resourcePaths(template))
    params = { ...params, [parameterOf(path)]: await kindOf(path).make(shop, params) };
  return params;
}

/** An id of the kind and the length of a real one that nothing has: random where ids are, and of the same time. */
export function absentLike(real: string): string {
  const uuid = /^([a-z]+_)([0-9a-f]{8}-[0-9a-f]{4}-7)/.exec(real);
  if (uuid) return `${uuid[1]}${uuid[2]}${randomUUID().slice(15)}`;
  if (/^\d+$/.test(real)) return "9".repeat(real.length);
  return real.replaceAll(/[A-Za-z0-9]/g, "z");
}

/** An endpoint with something in every list that can be asked for by its id. */
async function makeBusyEndpoint(shop: Shop): Promise<string> {
  const id = await makeEndpoint(shop);
  await makeEvent(shop);
  await makeRecovery(shop, id);
  return id;
}

/** How to make what an id in a query or in a body stands for. A new kind of id needs its line here. */
const BY_ID: Readonly<Partial<Record<IdKind, (shop: Shop) => Promise<string>>>> = {
  endpoint: makeBusyEndpoint,
  async event(shop) {
    await makeEndpoint(shop);
    return makeEvent(shop);
  },
};

/** Makes what an id stands for, by the pattern that its schema has; `undefined` where the pattern is of no id. */
export function makerOfPattern(pattern: string | undefined): ((shop: Shop) => Promise<string>) | undefined {
  const prefix = /^\^([a-z]+)_\[0-9a-f\]/.exec(pattern ?? "")?.[1];
  if (prefix === undefined) return undefined;
  const kind = (Object.keys(ID_PREFIXES) as IdKind[]).find((name) => ID_PREFIXES[name] === prefix);
  const make = kind && BY_ID[kind];
  if (!make)
    throw new Error(`Nothing is known of ids that begin with ${prefix}_: see web/testing/resources.ts.`);
  return make;
}

/** What puts an item into a list that is not made of resources with a path of their own. */
const LIST_ITEMS: Readonly<Record<string, (shop: Shop, parents: Params) => Promise<unknown>>> = {
  "/tenants": (shop) => shop.api.addTenant(),
  async "/audit-log"({ api, tenant }) {
    const json = { name: randomUUID() };
    await api.call("PATCH", `/tenants/ten_${tenant.id}`, { key: null, headers: AS_ADMIN, json });
  },
  "/deliveries/{id}/attempts": (shop, { id = "" }) =>
    shop.api.services.db.query(
      `insert into attempts (tenant_id, id, delivery_id, number, trigger, started_at, outcome, url, worker)
       select $1, uuidv7(), $2, 1 + count(*), 'schedule', now(), 'retry', 'https://example.com/', 1
         from attempts where tenant_id = $1 and delivery_id = $2`,
      [shop.tenant.id, id.replace("dlv_", "")],
    ),
};

/** Puts an item more into a list. */
export async function addListItem(shop: Shop, listPath: string, parents: Params): Promise<void> {
  const path = Object.keys(RESOURCES).find((known) => known.startsWith(`${listPath}/{`));
  const add = LIST_ITEMS[listPath] ?? (path && kindOf(path).make);
  if (!add)
    throw new Error(`Nothing is known of ${listPath}: say in web/testing/resources.ts how to fill it.`);
  await add(shop, parents);
}

/** The name of the parameter in which a path ends. */
export const parameterName = parameterOf;
