import { describe, expect, it } from "vitest";
import type { Operation } from "#contracts/operation.ts";
import { render } from "./reply.ts";

const change: Operation = {
  ...{ id: "changeThing", tag: "Things", path: "/things/{id}", summary: "Change", scope: null },
  method: "PATCH",
  status: 200,
  versioned: true,
};
const reply = { body: { a: 1 }, version: "7" };

describe("the answer to what a client prefers", () => {
  const shape = (operation: Partial<Operation>, prefer?: string) => {
    const { status, body, headers } = render({ ...change, ...operation }, reply, {
      prefix: "/api/v1",
      prefer,
    });
    return [status, body, headers["preference-applied"], headers["content-type"]];
  };
  const json = "application/json";

  it("has the body by default and is 204 on demand, where minimal can be asked for", () => {
    const operation = { prefer: "minimal" } as const;
    expect(shape(operation)).toEqual([200, '{"a":1}', undefined, json]);
    expect(shape(operation, "return=minimal")).toEqual([204, null, "return=minimal", undefined]);
    expect(shape(operation, "return=representation")).toEqual([
      200,
      '{"a":1}',
      "return=representation",
      json,
    ]);
    expect(shape(operation, "return=much")).toEqual([200, '{"a":1}', undefined, json]);
  });

  it("is 204 by default and 200 on demand, where the representation can be asked for", () => {
    const operation = { prefer: "representation", status: 204 } as const;
    expect(shape(operation)).toEqual([204, null, undefined, undefined]);
    expect(shape(operation, "return=minimal")).toEqual([204, null, "return=minimal", undefined]);
    expect(shape(operation, "return=representation")).toEqual([
      200,
      '{"a":1}',
      "return=representation",
      json,
    ]);
  });

  it("is told apart by caches, and is the only one where there is no choice", () => {
    const vary = (operation: Partial<Operation>) =>
      render({ ...change, ...operation }, reply, { prefix: "", prefer: "return=minimal" }).headers.vary;
    expect(vary({ prefer: "minimal" })).toMatch(/, Prefer$/);
    expect(vary({})).not.toContain("Prefer");
    expect(shape({}, "return=minimal")).toEqual([200, '{"a":1}', undefined, json]);
  });
});

describe("the tag of a version", () => {
  it("is on what was read, made or patched, and on no success of a PUT or DELETE", () => {
    const tag = (method: Operation["method"]) =>
      render({ ...change, method }, reply, { prefix: "" }).headers.etag;
    expect((["GET", "POST", "PATCH", "PUT", "DELETE"] as const).map(tag)).toEqual([
      '"7"',
      '"7"',
      '"7"',
      undefined,
      undefined,
    ]);
  });
});
