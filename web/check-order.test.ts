import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { staffScopeOf } from "#contracts/operation.ts";
import { API_KEY_SCOPES, ROLE_SCOPES, ROLES } from "#contracts/scopes.ts";
import { takesApiKey } from "#server/http/openapi/access.ts";
import { takesIfMatch } from "#server/http/precondition.ts";
import { MAX_BODY_BYTES } from "#server/http/route.ts";
import type { Answer, TestApi } from "./test-support.ts";
import { type ApiCall, calls, fillPath } from "./testing/api-calls.ts";
import { absentLike, isNamed, resourcePaths } from "./testing/resources.ts";
import { type RightRequest, rightRequest, sendRight, staffHeaders } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());

interface Step {
  status: number;
  slug: string;
  /** What is right from here on, and was wrong in the steps before. */
  mend: Parameters<typeof sendRight>[1];
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}`, cookie: null });

/** A key that holds every scope but that of the call. */
const keyWithout = ({ operation: { scope } }: ApiCall, right: RightRequest) =>
  api.addKey(
    right.shop.tenant.id,
    API_KEY_SCOPES.filter((held) => held !== scope),
  );

/** The checks of a call in the order of the contract, each with all that comes after it still wrong. */
async function stepsOf(call: ApiCall, right: RightRequest): Promise<Step[]> {
  const { operation } = call;
  const { method, path, ifMatch, scope } = operation;
  const isPost = method === "POST";
  const own = { authorization: null, cookie: null, ...right.headers };
  const absent = Object.fromEntries(
    Object.entries(right.params).map(([name, value]) => [name, absentLike(value)]),
  );
  const steps: [boolean, Step][] = [
    [true, { status: 401, slug: "unauthenticated", mend: { path: fillPath(path, absent) } }],
    [
      scope !== null,
      { status: 403, slug: "forbidden", mend: { headers: bearer(await keyWithout(call, right)) } },
    ],
    [
      namesSomething(call),
      {
        status: 404,
        slug: "not-found",
        mend: { headers: pick(own, "authorization", "cookie", "posthorn-tenant", "sec-fetch-site") },
      },
    ],
    [call.body !== undefined, { status: 415, slug: "unsupported-media-type", mend: { path: right.path } }],
    [
      call.body !== undefined,
      { status: 413, slug: "payload-too-large", mend: { headers: { "content-type": "application/json" } } },
    ],
    [
      ifMatch === "required",
      { status: 428, slug: "precondition-required", mend: call.body ? { body: "{" } : {} },
    ],
    [
      takesIfMatch(operation),
      { status: 412, slug: "precondition-failed", mend: { headers: { "if-match": '"999999"' } } },
    ],
    [
      true,
      {
        status: 400,
        slug: "invalid-parameter",
        mend: { headers: { "if-match": right.headers["if-match"] ?? null } },
      },
    ],
    [isPost, { status: 400, slug: "invalid-parameter", mend: { query: "" } }],
    [
      operation.idempotencyKey === "required",
      { status: 400, slug: "idempotency-key-missing", mend: { headers: { "idempotency-key": null } } },
    ],
    [
      call.body !== undefined,
      {
        status: 400,
        slug: "malformed-json",
        mend: { headers: { "idempotency-key": right.headers["idempotency-key"] ?? null } },
      },
    ],
    [
      call.body !== undefined,
      {
        status: 422,
        slug: "validation-error",
        mend: { body: JSON.stringify({ ...call.body?.example, no_such_member: 1 }) },
      },
    ],
  ];
  return accumulate(steps, {
    query: "?no_such_parameter=1",
    headers: {
      ...{
        authorization: "Bearer nonsense",
        cookie: null,
        "if-match": "nonsense",
        "idempotency-key": "two words",
      },
      "content-type": "text/plain",
    },
    ...(call.body ? { body: " ".repeat((operation.maxBodyBytes ?? MAX_BODY_BYTES) + 1) } : {}),
  });
}

/** Whether the path must lead to something: a PUT makes what its name does not lead to yet. */
function namesSomething({ operation: { method, path }, pathParameters }: ApiCall): boolean {
  const [first] = resourcePaths(path);
  return pathParameters.length > 0 && !(method === "PUT" && first === path && isNamed(path));
}

function pick(headers: Record<string, string | null>, ...names: string[]): Record<string, string | null> {
  return Object.fromEntries(names.map((name) => [name, headers[name] ?? null]));
}

/** Each step with what those before it have mended, whether they apply or not. */
function accumulate(steps: [boolean, Step][], wrong: NonNullable<Step["mend"]>): Step[] {
  let sent = wrong;
  return steps.flatMap(([applies, step]) => {
    sent = { ...sent, ...step.mend, headers: { ...sent.headers, ...step.mend?.headers } };
    return applies ? [{ ...step, mend: sent }] : [];
  });
}

const told = ({ status, json }: Answer) => [status, json?.type?.split("/").at(-1)];

describe.each(calls)("$name", (call) => {
  it("is checked in the contract's order, each defect hiding those after it", async () => {
    const right = await rightRequest(api, call);
    for (const { status, slug, mend } of await stepsOf(call, right)) {
      const answer = await sendRight(right, mend);
      expect(told(answer), answer.text).toEqual([status, slug]);
      if (status === 401) expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      if (status === 403) expect(answer.json.detail).toContain(String(call.operation.scope));
      if (status === 415) expect(answer.headers.has("accept-patch")).toBe(call.operation.method === "PATCH");
      if (status === 412) expect(answer.json.current_version).toEqual(expect.any(Number));
      if (status === 422) expect(answer.json.errors).toMatchObject([{ pointer: "#/no_such_member" }]);
    }
    // What is right in every way is taken, or refused by the state of things.
    expect([200, 201, 202, 204, 409]).toContain((await sendRight(right)).status);
  });

  it("is for the roles that hold its scope, and no other", async () => {
    const { operation } = call;
    const right = await rightRequest(api, call);
    for (const role of ROLES) {
      const headers = { authorization: null, ...staffHeaders(right.shop, role) };
      const { status } = await sendRight(right, { headers, query: "?no_such_parameter=1" });
      const scope = staffScopeOf(operation);
      const isHeld = scope === null || ROLE_SCOPES[role].includes(scope);
      // Somebody else's session or passkey is none, whatever one's role.
      const isOthers = /^\/account\/.*\{/.test(operation.path) && role !== "admin";
      expect([role, status], role).toEqual([role, isHeld ? (isOthers ? 404 : 400) : 403]);
    }
    const sibling = {
      ...staffHeaders(right.shop, "admin"),
      authorization: null,
      "sec-fetch-site": "same-site",
    };
    const { status } = await sendRight(right, { headers: sibling, query: "?no_such_parameter=1" });
    const isOpen =
      operation.method === "GET" && ROLE_SCOPES.admin.some((held) => held === staffScopeOf(operation));
    expect(status).toBe(isOpen ? 400 : 403);
  });
});

describe.each(calls.filter(({ operation }) => !takesApiKey(operation)))("$name", (call) => {
  it("is for no API key, whatever its scopes", async () => {
    const right = await rightRequest(api, call);
    expect(told(await sendRight(right, { headers: bearer(right.shop.tenant.key) }))).toEqual([
      403,
      "forbidden",
    ]);
  });
});
