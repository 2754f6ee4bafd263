import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PORTAL_ACCESS, portalScopes } from "#contracts/portal-links.ts";
import type { Scope } from "#contracts/scopes.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { calls, fillPath } from "./testing/api-calls.ts";
import { makePortalToken } from "./testing/resources.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const LINKS = [[], ...PORTAL_ACCESS.map((name) => [name]), [...PORTAL_ACCESS]].map((access) => ({ access }));

/** What the bearer of a link may do at most: these calls, and no other whatever comes to be. */
const ALL: Scope[] = [
  ...(["portal:read", "webhooks:read", "deliveries:read", "events:read"] as const),
  ...(["webhooks:write", "secrets:rotate", "deliveries:replay"] as const),
];

describe.each(LINKS)("a link for $access", ({ access }) => {
  const scopes: readonly (Scope | null)[] = portalScopes(access);

  it("lets its bearer make the calls that its access names, and no other", async () => {
    const key = await makePortalToken({ api, tenant: api.tenant }, { access });
    const told = [];
    for (const { operation, pathParameters, name } of calls) {
      const params = Object.fromEntries(pathParameters.map((parameter) => [parameter, "anything"]));
      const { status } = await api.call(operation.method, fillPath(operation.path, params), { key });
      told.push([name, status === 403 ? "refused" : "let through"]);
      expect(status, name).not.toBe(401);
    }
    expect(told).toEqual(
      calls.map(({ name, operation: { scope } }) => [
        name,
        scopes.includes(scope) ? "let through" : "refused",
      ]),
    );
  });
});

it("no link holds what makes keys or links, publishes, or reaches beyond its tenant", () => {
  expect(portalScopes(PORTAL_ACCESS)).toEqual(ALL);
  const beyond = calls.filter(
    ({ operation }) => operation.tenant === "none" && ALL.some((scope) => scope === operation.scope),
  );
  expect(beyond.map(({ name }) => name)).toEqual([]);
});
