import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { deprecate } from "#contracts/deprecation.ts";
import { type Operation, operation } from "#contracts/operation.ts";
import { pageOf, pageQuery } from "#contracts/page.ts";
import { AppError } from "#server/errors.ts";
import { createApi, type HandleApi } from "#server/http/api.ts";
import { openApiDocument } from "#server/http/openapi/document.ts";
import { OpenApi } from "#server/http/openapi/testing-structure.ts";
import { route } from "#server/http/route.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

// No operation of the contract is deprecated; these are, to see that it shows.
const GUIDE = "/docs#description/versions";
const mark = { since: "2026-11-21", sunset: "2027-06-01", instead: "Use the new one.", guide: GUIDE };
const name = z.string().meta({ example: "n" });

const oldCall: Operation = deprecate(
  operation({
    id: "oldCall",
    tag: "Orders",
    method: "GET",
    path: "/old",
    summary: "Read the old one",
    scope: null,
    query: z.strictObject({ fail: z.enum(["true"]).optional() }),
    response: z.object({ name }),
    status: 200,
  }),
  mark,
);
const oldPart = operation({
  id: "oldPart",
  description: "Makes one.",
  tag: "Orders",
  method: "POST",
  path: "/parts",
  summary: "Make a part",
  scope: null,
  query: z.strictObject({ colour: deprecate(z.string().optional(), { ...mark, since: "2026-10-01" }) }),
  body: z.strictObject({ name, label: deprecate(name, { ...mark, sunset: "2027-05-01" }).optional() }),
  status: 204,
});
const oldAnswer = operation({
  id: "oldAnswer",
  description: "Lists them.",
  tag: "Orders",
  method: "GET",
  path: "/answers",
  summary: "List answers",
  scope: null,
  query: z.strictObject(pageQuery),
  response: pageOf(
    z.object({
      name: deprecate(name.describe("What it is called."), { ...mark, sunset: undefined }).nullable(),
    }),
    "OldPage",
  ),
  status: 200,
});
const page = { items: [], next_cursor: null, prev_cursor: null, has_more: false };

let api: TestApi;
let handle: HandleApi;
beforeAll(async () => {
  api = await openTestApi();
  const routes = [
    route(oldCall, {
      async handle(_ctx, { query }) {
        if ((query as { fail?: string }).fail) throw new AppError("state-conflict", "No.");
        return { body: { name: "n" } };
      },
    }),
    route(oldPart, { handle: async () => ({}) }),
    route(oldAnswer, { handle: async () => ({ body: page, link: '</answers?after=x>; rel="next"' }) }),
  ];
  handle = createApi({ services: api.services, routes, origin: "https://o.example", bodyTimeoutMs: 1_000 });
});
afterAll(() => api.close());

async function send(method: string, path: string, body?: object) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${api.tenant.key}`,
    "content-type": "application/json",
  };
  const bytes = body && Buffer.from(JSON.stringify(body));
  const answer = await handle({
    method,
    target: `/api/v1${path}`,
    header: (header) => headers[header],
    body: bytes ? new Blob([bytes]).stream() : null,
    signal: new AbortController().signal,
  });
  const { deprecation, sunset, link } = answer.headers;
  return { status: answer.status, deprecation, sunset, link };
}

describe("a deprecated operation", () => {
  it("says so on every answer: since when, until when, and where to read on", async () => {
    const told = {
      deprecation: "@1795219200",
      sunset: "Tue, 01 Jun 2027 00:00:00 GMT",
      link: `<${GUIDE}>; rel="deprecation"; type="text/html", <${GUIDE}>; rel="sunset"; type="text/html"`,
    };
    expect(await send("GET", "/old")).toEqual({ status: 200, ...told });
    expect(await send("GET", "/old?fail=true")).toEqual({ status: 409, ...told });
    expect(await send("GET", "/old?unknown=1")).toEqual({ status: 400, ...told });
    // No operation: the method is none of the path's.
    expect(await send("DELETE", "/old")).toEqual({ status: 405 });
  });
});

describe("a deprecated part", () => {
  it("of a request is told of where it was used, the earliest times of all", async () => {
    expect(await send("POST", "/parts", { name: "n" })).toEqual({ status: 204 });
    expect(await send("POST", "/parts", { name: "n", label: "l" })).toMatchObject({
      deprecation: "@1795219200",
      sunset: "Sat, 01 May 2027 00:00:00 GMT",
    });
    expect(await send("POST", "/parts?colour=red", { name: "n", label: "l" })).toMatchObject({
      deprecation: "@1790812800",
      sunset: "Sat, 01 May 2027 00:00:00 GMT",
    });
  });

  it("of an answer is told of on each, beside the links of the page", async () => {
    expect(await send("GET", "/answers")).toEqual({
      status: 200,
      deprecation: "@1795219200",
      link: `</answers?after=x>; rel="next", <${GUIDE}>; rel="deprecation"; type="text/html"`,
    });
  });
});

describe("the OpenAPI document", () => {
  const document = OpenApi.parse(
    openApiDocument({
      operations: [oldCall, oldPart, oldAnswer],
      ...{ origin: "https://o.example", prefix: "/api/v1", version: "1.2.3" },
    }),
  );
  const words = `Deprecated since 2026-11-21. It stops working on 2027-06-01. Use the new one. See [what to do](${GUIDE}).`;

  it("marks the operation, and gives all of its answers the headers", () => {
    const call = document.paths["/old"]?.get;
    expect(call?.deprecated).toBe(true);
    expect(call?.description).toContain(words);
    for (const answer of Object.values(call?.responses ?? {})) {
      if ("$ref" in answer) throw new Error("an answer that other operations share");
      expect(Object.keys(answer.headers ?? {})).toEqual(
        expect.arrayContaining(["Deprecation", "Sunset", "Link"]),
      );
    }
    expect(document.paths["/parts"]?.post?.deprecated).toBeUndefined();
  });

  it("marks the part, beside its own description", () => {
    const items = document.components.schemas.OldPage?.properties?.items?.items;
    expect(JSON.stringify(items?.properties?.name)).toContain(
      '"What it is called. Deprecated since 2026-11-21. Use the new one.',
    );
    const body = document.paths["/parts"]?.post?.requestBody?.content["application/json"]?.schema;
    expect(body?.properties?.label).toMatchObject({ deprecated: true });
    const [parameter] = document.paths["/parts"]?.post?.parameters ?? [];
    expect(JSON.stringify(parameter)).toContain('"deprecated":true');
  });
});

describe("deprecate", () => {
  it("refuses a sunset before the deprecation, and what is no date", () => {
    expect(() => deprecate(name, { ...mark, sunset: "2026-11-20" })).toThrow(/before the deprecation/);
    expect(() => deprecate(oldPart, { ...mark, since: "soon" })).toThrow(/no date/);
    expect(() => deprecate(name, { ...mark, since: "2026-13-01" })).toThrow(/no date/);
  });
});
