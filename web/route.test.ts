import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { operation } from "#contracts/operation.ts";
import { connect } from "#db/client.ts";
import type { Services } from "#server/context.ts";
import { AppError } from "#server/errors.ts";
import { createApi, type HandleApi } from "#server/http/api.ts";
import { route } from "#server/http/route.ts";
import { KeyReader } from "#server/keys/key-reader.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

// Calls of every kind that a contract can describe, to see the mechanisms that the present operations do not all use.
const thing = z.object({ name: z.string() });
const changeThing = operation({
  id: "changeThing",
  tag: "Things",
  method: "PATCH",
  path: "/things/{id}",
  summary: "Change a thing",
  scope: "carts:write",
  params: z.object({ id: z.string() }),
  query: z.strictObject({ dry: z.enum(["true"]).optional() }),
  body: z.strictObject({ name: z.string().min(1) }),
  maxBodyBytes: 100,
  response: thing,
  status: 200,
  ifMatch: "required",
  versioned: true,
});
const makeThing = operation({
  id: "makeThing",
  tag: "Things",
  method: "POST",
  path: "/things",
  summary: "Make a thing",
  scope: "carts:write",
  body: z.strictObject({ name: z.string() }),
  status: 204,
  idempotencyKey: "required",
});

const breakThing = operation({
  id: "breakThing",
  tag: "Things",
  method: "GET",
  path: "/broken",
  summary: "Break",
  scope: null,
  response: thing,
  status: 200,
});

const routes = [
  route(breakThing, {
    async handle(): Promise<never> {
      throw new TypeError("secret detail of /srv/app");
    },
  }),
  route(changeThing, {
    find: async (_ctx, { id }) => (id === "1" ? { version: "9007199254740993" } : undefined),
    async handle(_ctx, { body, found }) {
      if (body.name === "taken") throw new AppError("state-conflict", "There is one.");
      return { body, version: String(BigInt(found.version) + 1n) };
    },
  }),
  route(makeThing, { handle: async () => ({}) }),
];

let api: TestApi;
let handle: HandleApi;
beforeAll(async () => {
  api = await openTestApi();
  handle = createApi({ services: api.services, routes, origin: "https://o.example", bodyTimeoutMs: 1_000 });
});
afterAll(() => api.close());

interface Sent {
  by?: HandleApi;
  key?: string;
  body?: string;
  headers?: Record<string, string>;
}

async function send(
  method: string,
  path: string,
  { by = handle, key = api.tenant.key, body, headers = {} }: Sent = {},
) {
  const all: Record<string, string> = {
    "content-type": "application/json",
    ...(key && { authorization: `Bearer ${key}` }),
    ...headers,
  };
  async function* chunks() {
    yield Buffer.from(body ?? "");
  }
  const { signal } = new AbortController();
  const target = `/api/v1${path}`;
  const answer = await by({
    method,
    target,
    header: (name) => all[name],
    body: body === undefined ? null : chunks(),
    signal,
  });
  const slug =
    answer.status >= 400
      ? JSON.parse(answer.body ?? "{}")
          .type.split("/")
          .at(-1)
      : undefined;
  return { ...answer, slug };
}

describe("a call with every condition", () => {
  const current = { "if-match": '"9007199254740993"' };

  it("is checked in the contract's order, each defect hiding those after it", async () => {
    const reader = await api.addKey(api.tenant.id, ["orders:read"]);
    const stale = { "if-match": '"1"' };
    const steps: [number, string, string, Sent][] = [
      [
        401,
        "unauthenticated",
        "/things/2?x=1",
        { key: "nonsense", body: "{", headers: { "content-type": "x" } },
      ],
      [403, "forbidden", "/things/2?x=1", { key: reader, body: "{", headers: { "content-type": "x" } }],
      [404, "not-found", "/things/2?x=1", { body: "{", headers: { "content-type": "x" } }],
      [
        415,
        "unsupported-media-type",
        "/things/1?x=1",
        { body: " ".repeat(101), headers: { "content-type": "x" } },
      ],
      [413, "payload-too-large", "/things/1?x=1", { body: " ".repeat(101) }],
      [428, "precondition-required", "/things/1?x=1", { body: "{" }],
      [412, "precondition-failed", "/things/1?x=1", { body: "{", headers: stale }],
      [400, "invalid-parameter", "/things/1?x=1", { body: "{", headers: current }],
      [400, "malformed-json", "/things/1", { body: "{", headers: current }],
      [422, "validation-error", "/things/1", { body: '{"name":""}', headers: current }],
      [409, "state-conflict", "/things/1", { body: '{"name":"taken"}', headers: current }],
    ];
    for (const [status, slug, path, sent] of steps) {
      const answer = await send("PATCH", path, sent);
      expect([answer.status, answer.slug]).toEqual([status, slug]);
    }
  });

  it("succeeds on the current version, whose digits are all compared, and tells the next", async () => {
    const answer = await send("PATCH", "/things/1?dry=true", { body: '{"name":"new"}', headers: current });
    expect([answer.status, answer.body, answer.headers.etag]).toEqual([
      200,
      '{"name":"new"}',
      '"9007199254740994"',
    ]);
    const near = { "if-match": '"9007199254740992"' };
    const stale = await send("PATCH", "/things/1", { body: '{"name":"new"}', headers: near });
    expect(stale.status).toBe(412);
    expect(stale.body).toContain('"current_version":9007199254740993');
  });

  it("takes a merge patch, and says so where it gets something else", async () => {
    const patch = { ...current, "content-type": "application/merge-patch+json" };
    expect((await send("PATCH", "/things/1", { body: '{"name":"new"}', headers: patch })).status).toBe(200);
    const refused = await send("PATCH", "/things/1", {
      body: "[]",
      headers: { "content-type": "text/plain" },
    });
    expect(refused.headers["accept-patch"]).toBe("application/merge-patch+json");
    const options = await send("OPTIONS", "/things/1");
    expect([options.status, options.headers.allow]).toEqual([204, "OPTIONS, PATCH"]);
    expect(options.headers["accept-patch"]).toBe("application/merge-patch+json");
    expect((await send("OPTIONS", "/things")).headers).not.toHaveProperty("accept-patch");
  });
});

describe("a call that needs an Idempotency-Key", () => {
  it("is refused without, and answers 204 without a body", async () => {
    const body = '{"name":"a"}';
    expect(await send("POST", "/things", { body })).toMatchObject({
      status: 400,
      slug: "idempotency-key-missing",
    });
    const headers = { "idempotency-key": "k" };
    const first = await send("POST", "/things", { body, headers });
    expect([first.status, first.body, first.headers["content-type"]]).toEqual([204, null, undefined]);
    const again = await send("POST", "/things", { body, headers });
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([204, "true"]);
  });

  it("is refused without a body, where the body is not optional", async () => {
    const headers = { "idempotency-key": "empty" };
    expect(await send("POST", "/things", { headers })).toMatchObject({ status: 400, slug: "malformed-json" });
  });
});

describe("what goes wrong on our side", () => {
  const deps = { routes, origin: "https://o.example", bodyTimeoutMs: 1_000 };

  it("is logged with the request id, and told without any detail", async () => {
    const logged: unknown[] = [];
    const log = { ...api.services.log, error: (fields: unknown) => logged.push(fields) };
    const by = createApi({ ...deps, services: { ...api.services, log: log as unknown as Services["log"] } });
    const answer = await send("GET", "/broken", { by });
    const requestId = answer.headers["x-request-id"];
    expect([answer.status, JSON.parse(answer.body ?? "")]).toEqual([
      500,
      { type: "about:blank", title: "Internal Server Error", status: 500, instance: `urn:uuid:${requestId}` },
    ]);
    expect(logged).toEqual([{ err: expect.any(TypeError), requestId }]);
  });

  it("is 503 with Retry-After while the database cannot be reached", async () => {
    const db = connect("postgres://nobody@127.0.0.1:1/none", { name: "test" });
    const by = createApi({ ...deps, services: { ...api.services, db, keyReader: new KeyReader(db) } });
    const answer = await send("GET", "/broken", { by });
    expect([answer.status, answer.slug, answer.headers["retry-after"]]).toEqual([503, "unavailable", "2"]);
    await db.close();
  });
});
