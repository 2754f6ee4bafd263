import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallOptions, openTestApi, type TestApi } from "./test-support.ts";
import { type ApiCall, calls, document, fillPath } from "./testing/api-calls.ts";
import { membersOf, withRaw } from "./testing/hostile-bodies.ts";
import { absentLike, makeParams, makerOfPattern, type Params, type Shop } from "./testing/resources.ts";
import { digestOf, visible, visibleNews } from "./testing/walls.ts";

let api: TestApi;
let victim: Shop;
let stranger: Shop;
beforeAll(async () => {
  api = await openTestApi();
  victim = { api, tenant: api.tenant };
  stranger = { api, tenant: await api.addTenant() };
});
afterAll(() => api.close());

/** Sends the call as the stranger, with one of two ids in it. */
type Send = (id: string, params: Params) => Promise<Awaited<ReturnType<TestApi["call"]>>>;

async function expectWall(call: ApiCall, make: (shop: Shop) => Promise<string>, send: Send): Promise<void> {
  const foreign = await make(victim);
  const absent = absentLike(foreign);
  const before = await digestOf(api.services.db, victim.tenant.id);
  const [a, b] = [
    await send(foreign, await makeParams(stranger, call.operation.path)),
    await send(absent, await makeParams(stranger, call.operation.path)),
  ];
  expect(a.status).toBeLessThan(500);
  if (a.status < 300 && call.operation.method !== "GET")
    expect(visibleNews(a, [foreign])).toEqual(visibleNews(b, [absent]));
  else expect(visible(a)).toEqual(visible(b));
  expect(await digestOf(api.services.db, victim.tenant.id)).toEqual(before);
}

const inQueries = calls.flatMap((call) =>
  call.queryParameters.flatMap(({ name, schema }) => {
    const make = makerOfPattern(schema.pattern);
    return make ? [{ name: `${name} of ${call.name}`, call, parameter: name, make }] : [];
  }),
);

describe.each(inQueries)("the query parameter $name", ({ call, parameter, make }) => {
  const read = (id: string, params: Params, shop: Shop) =>
    api.call(call.operation.method, `${fillPath(call.operation.path, params)}?${parameter}=${id}`, {
      key: shop.tenant.key,
    });

  it("finds nothing of another tenant, as of an id that never existed", () =>
    expectWall(call, make, (id, params) => read(id, params, stranger)));

  it("finds what belongs to the caller", async () => {
    const answer = await read(await make(victim), await makeParams(victim, call.operation.path), victim);
    expect(answer.status).toBe(200);
    expect(answer.json.items?.length).not.toBe(0);
  });
});

const inBodies = calls.flatMap((call) =>
  membersOf(call.body?.schema ?? {}, document.components.schemas).flatMap(({ path, pattern }) => {
    const make = makerOfPattern(pattern);
    return make ? [{ name: `${path.join("/")} of ${call.name}`, call, path, make }] : [];
  }),
);

describe.each(inBodies)("the member $name", ({ call, path, make }) => {
  it("means nothing of another tenant, as an id that never existed", () =>
    expectWall(call, make, (id, params) => {
      const body = withRaw(call.body?.example ?? {}, path, JSON.stringify(id));
      const options: CallOptions = { key: stranger.tenant.key, body };
      return api.call(call.operation.method, fillPath(call.operation.path, params), options);
    }));
});

it("knows every parameter and member that looks like an id", () => {
  // Of the caller's own choosing, or of its own system: they name nothing of ours.
  const OTHERS = ["CustomerId", "request_id", "trace_id"];
  const named = calls.flatMap((call) => [
    ...call.queryParameters.map(({ name, schema }) => ({ name, pattern: schema.pattern })),
    ...membersOf(call.body?.schema ?? {}, document.components.schemas).map(({ path, pattern }) => ({
      name: String(path.at(-1)),
      pattern,
    })),
  ]);
  const unknown = named.filter(
    ({ name, pattern }) =>
      /(?:^|_)ids?$|[a-z]Ids?$/.test(name) && !OTHERS.includes(name) && makerOfPattern(pattern) === undefined,
  );
  expect(unknown, "an id without the pattern of its kind").toEqual([]);
  expect(inQueries.length + inBodies.length).toBeGreaterThan(3);
});
