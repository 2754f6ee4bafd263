import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { staffScopeOf } from "#contracts/operation.ts";
import { ROLE_SCOPES, ROLES, type Role } from "#contracts/scopes.ts";
import type { TestApi } from "./test-support.ts";
import { calls, fillPath } from "./testing/api-calls.ts";
import { staffHeaders } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());

/** The table of the contract: every role with every operation, and whether that is let through. */
const table = ROLES.flatMap((role) =>
  calls.map((call) => {
    const scope = staffScopeOf(call.operation);
    return { role, call, scope, isAllowed: scope === null || ROLE_SCOPES[role].includes(scope) };
  }),
);

const ask = (role: Role, { operation, pathParameters }: (typeof calls)[number], more = {}) => {
  const params = Object.fromEntries(pathParameters.map((name) => [name, "anything"]));
  const headers = { ...staffHeaders({ api, tenant: api.tenant }, role), ...more };
  return api.call(operation.method, fillPath(operation.path, params), { key: null, headers });
};

describe.each(ROLES)("the role %s", (role) => {
  const rows = table.filter((row) => row.role === role);
  it.each(rows.map((row) => ({ ...row, name: `${row.isAllowed ? "may" : "may not"} ${row.call.name}` })))(
    "$name",
    async ({ call, scope, isAllowed }) => {
      const answer = await ask(role, call);
      const isRefused = answer.status === 403 && answer.json?.detail === `This needs the scope ${scope}.`;
      expect([answer.status, isRefused]).toEqual([answer.status, !isAllowed]);
    },
  );

  it("is not raised by whatever a request says of itself", async () => {
    const claims = {
      "x-role": "admin",
      role: "admin",
      "x-forwarded-user": "admin@example.com",
      "x-user-role": "admin",
    };
    const refused = rows.filter((row) => !row.isAllowed);
    for (const { call } of refused)
      expect([call.name, (await ask(role, call, claims)).status]).toEqual([call.name, 403]);
  });
});

it("refuses somebody something in each role but that of admins", () => {
  const refused = (role: Role) => table.filter((row) => row.role === role && !row.isAllowed).length;
  expect(ROLES.slice(0, -1).map((role) => refused(role) > 10)).toEqual([true, true, true]);
});
