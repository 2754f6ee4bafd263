import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { staffScopeOf } from "#contracts/operation.ts";
import { ROLE_SCOPES } from "#contracts/scopes.ts";
import { takesApiKey } from "#server/http/openapi/access.ts";
import type { ExampleSchema } from "#server/http/openapi/example-of.ts";
import type { Answer, TestApi } from "./test-support.ts";
import { type ApiCall, calls, document } from "./testing/api-calls.ts";
import type { Params } from "./testing/resources.ts";
import { rightRequest, sendRight, staffHeaders } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());

const slugOf = ({ status, json }: Answer) => [status, json?.type?.split("/").at(-1)];

/** The schema that a reference leads to. */
function resolved(schema: ExampleSchema): ExampleSchema {
  return schema.$ref ? (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
}

/** Whether a value of that type is among those that the schema takes. */
function has(schema: ExampleSchema, type: string): boolean {
  return (
    [schema.type].flat().includes(type) || (schema.anyOf ?? []).some((part) => has(resolved(part), type))
  );
}

describe.each(calls)("the query of $name", (call) => {
  it("is strict: unknown and repeated parameters and impossible values are 400, and named", async () => {
    const right = await rightRequest(api, call);
    const single = call.queryParameters.filter(({ schema }) => !has(schema, "array"));
    const wrong = [
      ["colour", "colour=red"],
      ...single.map(({ name }) => [name, `${name}=1&${name}=1`]),
      ...call.queryParameters
        .filter(({ schema }) => resolved(schema).enum || schema.pattern || schema.format)
        .map(({ name }) => [name, `${name}=im+possible`]),
      ...(call.queryParameters.some(({ name }) => name === "limit")
        ? ["0", "-1", "1.5", "x", "", "1e2"].map((value) => ["limit", `limit=${value}`])
        : []),
    ];
    for (const [name = "", query] of wrong) {
      const answer = await sendRight(right, { query: `?${query}` });
      expect([query, ...slugOf(answer)]).toEqual([query, 400, "invalid-parameter"]);
      expect(answer.json.detail).toContain(name);
    }
  });
});

describe.each(calls.filter(({ body }) => body))("the body of $name", (call) => {
  const example = call.body?.example ?? {};
  const { required = [], properties = {} } = resolved(call.body?.schema ?? {});

  it("is strict: what is no object, lacks a member or has one too many is 422 with its pointer", async () => {
    const right = await rightRequest(api, call);
    const without = (name: string) =>
      Object.fromEntries(Object.entries(example).filter(([other]) => other !== name));
    const wrong: [pointer: string, body: unknown][] = [
      ...["[]", '"text"', "7", "null", "true"].map((text) => ["#", JSON.parse(text)] as [string, unknown]),
      ["#/colour", { ...example, colour: "red" }],
      ["#/a~1b~0c%20%C3%A9", { ...example, "a/b~c é": 1 }],
      ...required.map((name) => [`#/${name}`, without(name)] as [string, unknown]),
      ...required
        .filter((name) => !has(properties[name] ?? {}, "null"))
        .map((name) => [`#/${name}`, { ...example, [name]: null }] as [string, unknown]),
    ];
    for (const [pointer, body] of wrong) {
      const answer = await sendRight(right, { body: JSON.stringify(body) });
      const { memberProblems = {} } = call.operation;
      const slug = memberProblems[pointer.slice(2)] ?? "validation-error";
      expect([JSON.stringify(body), ...slugOf(answer)]).toEqual([JSON.stringify(body), 422, slug]);
      expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    }
  });
});

/** What is asked by POST, since the question is long, and changes nothing. */
const QUESTIONS: readonly string[] = ["/webhook-endpoint-previews"];

/** Staff change things by their role: what they may do at all must leave its trace. */
const isStaffChange = ({ operation }: ApiCall) => {
  const scope = staffScopeOf(operation);
  if (operation.method === "GET" || QUESTIONS.includes(operation.path)) return false;
  return scope === null || ROLE_SCOPES.admin.includes(scope);
};

describe.each(calls.filter(isStaffChange))("$name by a member of staff", (call) => {
  it("is in the audit log: who, in which role, what, and no secret", async () => {
    const right = await rightRequest(api, call);
    const read = () =>
      api.services.db.query<Record<string, unknown>>(
        // What concerns no tenant is in the chain of the installation, or of the tenant that it makes.
        `select * from audit_log where ($1::uuid is null or tenant_id = $1) order by at desc, number desc`,
        [call.operation.tenant === "none" ? null : right.shop.tenant.id],
      );
    const before = await read();
    const headers = { authorization: null, ...staffHeaders(right.shop, "admin") };
    await readyFor(call, right.params);
    const answer = await sendRight(right, { headers });
    expect(answer.status, answer.text).toBeLessThan(300);
    const after = await read();
    expect(after.length).toBeGreaterThan(before.length);
    expect(after[0]).toMatchObject({ actor: "admin@example.com", role: "admin", target: expect.any(String) });
    expect(after[0]?.action).toMatch(/^[a-z_]+\.[a-z_.]+$/);
    expect(JSON.stringify(after)).not.toMatch(/whsec_[A-Za-z0-9+/]{8}|\bph_[a-z]+_\w+_\w+/);
  });
});

/** Some calls change nothing but in a state that another call, or a worker, leads to. */
const STATES: Readonly<Record<string, string>> = {
  "/deliveries/{id}/replay": "update deliveries set status = 'failed' where id = $1",
  "/deliveries/{id}/dismiss": "update deliveries set status = 'failed' where id = $1",
  "/staff/{id}/enable": "update staff_users set banned = true where id = $1",
  "/webhook-endpoints/{id}/enable": "update webhook_endpoints set status = 'disabled' where id = $1",
};

async function readyFor({ operation: { path } }: ApiCall, { id = "" }: Params): Promise<void> {
  const statement = STATES[path];
  if (statement) await api.services.db.query(statement, [id.replace(/^[a-z]+_/, "")]);
}

it("covers each change that staff can make", () => {
  expect(calls.filter(isStaffChange).length).toBeGreaterThan(20);
  const ofStaffAlone = calls.filter(({ operation }) => !takesApiKey(operation) && operation.method !== "GET");
  expect(ofStaffAlone.filter((call) => !isStaffChange(call))).toEqual([]);
});
