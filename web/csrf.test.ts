import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { staffScopeOf } from "#contracts/operation.ts";
import { ROLE_SCOPES } from "#contracts/scopes.ts";
import type { TestApi } from "./test-support.ts";
import { type ApiCall, calls } from "./testing/api-calls.ts";
import { rightRequest, sendRight, staffHeaders } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());

const EVIL = "https://evil.example";
type Headers = Record<string, string | null>;

const CROSS_SITE: Headers = { "sec-fetch-site": "cross-site", origin: EVIL };

/** What the browser of somebody who is signed in says when a page that is not the console's makes it send something. */
const FOREIGN: Readonly<Record<string, Headers>> = {
  "from another site": CROSS_SITE,
  "from another host of the same site": { "sec-fetch-site": "same-site", origin: EVIL },
  "from nowhere, by an old bookmark": { "sec-fetch-site": "none", origin: EVIL },
  "by a browser that knows no Sec-Fetch-Site": { "sec-fetch-site": null, origin: EVIL },
  "from a sandboxed frame": { "sec-fetch-site": "cross-site", origin: "null" },
  "from a sandboxed frame of an old browser": { "sec-fetch-site": null, origin: "null" },
  "with nothing that says where from": { "sec-fetch-site": null },
  "with a referrer alone": { "sec-fetch-site": null, referer: "ORIGIN/deliveries" },
  "from an origin that begins like ours": { "sec-fetch-site": null, origin: "ORIGIN.evil.example" },
  "from another port": { "sec-fetch-site": null, origin: "http://127.0.0.1:1" },
  "with our origin forged beside the browser's word": { "sec-fetch-site": "cross-site", origin: "ORIGIN" },
};

/** What a form can send without asking first. */
const FORM_TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];

const variants: [string, Headers][] = [
  ...Object.entries(FOREIGN),
  ...FORM_TYPES.map((type): [string, Headers] => [`as ${type}`, { ...CROSS_SITE, "content-type": type }]),
];

const changes = calls.filter(({ operation }) => operation.method !== "GET");
const mayAdmins = ({ operation }: ApiCall) => {
  const scope = staffScopeOf(operation);
  return scope === null || ROLE_SCOPES.admin.includes(scope);
};
const withOrigin = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value?.replace("ORIGIN", api.server.origin) ?? null,
    ]),
  );

/** All that a change by staff leaves behind. */
const traces = async () =>
  (await api.services.db.query<{ n: string }>("select count(*) as n from audit_log"))[0]?.n;

describe.each(changes)("$name with the cookie of an admin", (call) => {
  it("is refused when a page of another origin sends it, and does nothing", async () => {
    const right = await rightRequest(api, call);
    const own = { authorization: null, ...staffHeaders(right.shop, "admin") };
    const before = await traces();
    for (const [name, headers] of variants) {
      const answer = await sendRight(right, { headers: { ...own, ...withOrigin(headers) } });
      expect([name, answer.status, answer.json?.detail]).toEqual([
        name,
        403,
        "A change by session cookie must come from the console itself.",
      ]);
      expect(answer.headers.has("access-control-allow-origin")).toBe(false);
    }
    expect(await traces()).toBe(before);
    // The console's own is taken: nothing else was wrong with it.
    const { json, status } = await sendRight(right, { headers: own });
    if (mayAdmins(call)) expect(status).not.toBe(403);
    else expect(json.detail).toContain("This needs the scope");
  });

  it("is no simple request: a preflight from elsewhere is given no leave", async () => {
    const right = await rightRequest(api, call);
    const headers = { origin: EVIL, "access-control-request-method": call.operation.method };
    const answer = await sendRight(right, { method: "OPTIONS", headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });
});

it("covers every change of the contract", () => {
  expect(changes.length).toBeGreaterThan(40);
  expect(variants.length).toBe(14);
});

it("takes no other method's name from a header or the query of a GET", async () => {
  const json = { url: "https://example.com/x", event_types: ["*"] };
  const { id } = (await api.call("POST", "/webhook-endpoints", { json })).json;
  const headers = {
    ...staffHeaders({ api, tenant: api.tenant }, "admin"),
    "x-http-method-override": "DELETE",
    "x-method-override": "DELETE",
  };
  const path = `/webhook-endpoints/${id}`;
  expect((await api.call("GET", path, { key: null, headers })).status).toBe(200);
  expect((await api.call("GET", `${path}?_method=DELETE`, { key: null, headers })).status).toBe(400);
  expect((await api.call("GET", path)).status).toBe(200);
});
