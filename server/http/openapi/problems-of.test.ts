import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Operation } from "#contracts/operation.ts";
import { pageQuery } from "#contracts/page.ts";
import { security } from "./access.ts";
import { answers } from "./answers.ts";
import { headerParameters } from "./parameters.ts";
import { problemsOf } from "./problems-of.ts";

const read: Operation = {
  ...{
    id: "readThing",
    tag: "Things",
    method: "GET",
    path: "/things",
    summary: "Read",
    scope: "orders:write",
  },
  status: 200,
};
const ALWAYS = [
  "unauthenticated",
  "rate-limited",
  "forbidden",
  "invalid-parameter",
  "unavailable",
  "timeout",
];
const params = z.object({ id: z.string() });
const names = (operation: Operation) =>
  headerParameters(operation).map(({ name, required }) => (required ? `${name}!` : name));

describe("problemsOf", () => {
  const beyond = (more: Partial<Operation>) =>
    problemsOf({ ...read, ...more }).filter((slug) => !ALWAYS.includes(slug));

  it("gives what every call can answer", () => {
    expect(problemsOf(read)).toEqual(ALWAYS);
  });

  it("adds what each member of an operation implies", () => {
    expect(beyond({ params })).toEqual(["not-found"]);
    expect(beyond({ query: z.strictObject(pageQuery) })).toEqual(["invalid-cursor"]);
    expect(beyond({ method: "PUT", body: z.strictObject({}) })).toEqual([
      ...["unsupported-media-type", "payload-too-large", "malformed-json", "validation-error"],
    ]);
    const idempotency = ["idempotency-in-progress", "idempotency-key-reused"];
    expect(beyond({ method: "POST" })).toEqual(idempotency);
    expect(beyond({ method: "POST", idempotencyKey: "required" })).toEqual([
      "idempotency-key-missing",
      ...idempotency,
    ]);
    const guarded = ["not-found", "precondition-required", "precondition-failed"];
    expect(beyond({ method: "PATCH", params, versioned: true })).toEqual(guarded);
    expect(
      beyond({ memberProblems: { url: "endpoint-url-rejected" }, problems: ["state-conflict"] }),
    ).toEqual(["endpoint-url-rejected", "state-conflict"]);
  });

  it("adds 404 where staff name a tenant", () => {
    expect(beyond({ scope: "orders:read" })).toEqual(["not-found"]);
    expect(beyond({ scope: "orders:read", tenant: "none" })).toEqual([]);
  });

  it("knows that a read which needs no scope is forbidden to nobody", () => {
    expect(problemsOf({ ...read, scope: null })).not.toContain("forbidden");
    expect(problemsOf({ ...read, scope: null, method: "POST" })).toContain("forbidden");
  });
});

describe("headerParameters", () => {
  it("gives each call the headers that it looks at", () => {
    expect(names(read)).toEqual([]);
    expect(names({ ...read, scope: "orders:read" })).toEqual(["posthorn-tenant"]);
    expect(names({ ...read, scope: "tenants:read" })).toEqual(["posthorn-tenant!"]);
    expect(names({ ...read, versioned: true })).toEqual(["If-None-Match"]);
    expect(names({ ...read, method: "POST" })).toEqual(["Idempotency-Key"]);
    expect(names({ ...read, method: "POST", idempotencyKey: "required" })).toEqual(["Idempotency-Key!"]);
    expect(names({ ...read, method: "PUT", params, versioned: true })).toEqual(["If-Match"]);
    expect(names({ ...read, method: "PUT", params, versioned: true, ifMatch: "required" })).toEqual([
      "If-Match!",
    ]);
  });
});

describe("security", () => {
  it("offers keys, links and sessions to whom they can give the scope", () => {
    expect(security(read)).toEqual([{ apiKey: ["orders:write"] }]);
    expect(security({ ...read, scope: "portal:read" })).toEqual([{ portalToken: ["portal:read"] }]);
    expect(security({ ...read, scope: "tenants:read" })).toEqual([{ staffSession: ["tenants:read"] }]);
    expect(security({ ...read, scope: null })).toEqual([
      { apiKey: [] },
      { portalToken: [] },
      { staffSession: [] },
    ]);
  });
});

describe("answers", () => {
  const told = (operation: Operation, status: number) => {
    const answer = answers(operation)[`${status}` as "200"];
    if (!answer || "$ref" in answer) return answer;
    return { media: Object.keys(answer.content ?? {}), headers: Object.keys(answer.headers ?? {}).slice(4) };
  };

  it("tells of headers and bodies of success", () => {
    expect(told({ ...read, status: 204 }, 204)).toEqual({ media: [], headers: [] });
    const make: Operation = { ...read, method: "POST", status: 201, versioned: true, response: z.object({}) };
    expect(told(make, 201)).toEqual({
      media: ["application/json"],
      headers: ["ETag", "Location", "Idempotent-Replayed"],
    });
    expect(told({ ...make, otherStatuses: { 200: "It was there." } }, 200)).toEqual(told(make, 201));
    expect(told({ ...read, versioned: true }, 304)).toEqual({ media: [], headers: ["ETag"] });
    expect(told(read, 304)).toBeUndefined();
  });

  it("tells of both answers where a client has the choice", () => {
    const change: Operation = { ...read, method: "PUT", params, versioned: true, response: z.object({}) };
    const minimal: Operation = { ...change, prefer: "minimal" };
    const representation: Operation = { ...change, status: 204, prefer: "representation" };
    for (const operation of [minimal, representation]) {
      const headers = ["Preference-Applied"];
      expect(told(operation, 200)).toEqual({ media: ["application/json"], headers });
      expect(told(operation, 204)).toEqual({ media: [], headers });
      expect(names(operation)).toContain("Prefer");
    }
    expect(told(change, 204)).toBeUndefined();
  });

  it("tells of no tag where a PUT or DELETE succeeds", () => {
    const change: Operation = { ...read, params, versioned: true };
    expect(told({ ...change, method: "PUT" }, 200)).toMatchObject({ headers: [] });
    expect(told({ ...change, method: "DELETE", status: 204 }, 204)).toMatchObject({ headers: [] });
    expect(told({ ...change, method: "PATCH" }, 200)).toMatchObject({ headers: ["ETag"] });
  });

  it("tells of the types that a patch may have where it refuses another", () => {
    const change: Operation = { ...read, method: "PATCH", body: z.strictObject({}) };
    expect(told(change, 415)).toMatchObject({ headers: ["Accept-Patch"] });
    expect(told({ ...change, method: "PUT" }, 415)).toEqual({
      $ref: "#/components/responses/unsupported-media-type",
    });
  });
});
