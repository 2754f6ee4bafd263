import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takesApiKey } from "#server/http/openapi/access.ts";
import { exampleOf } from "#server/http/openapi/example-of.ts";
import type { Answer, CallOptions, TestApi } from "./test-support.ts";
import { type ApiCall, calls, document, fillPath } from "./testing/api-calls.ts";
import { addListItem, makeParams, type Params, type Shop } from "./testing/resources.ts";
import { staffHeaders } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
let victim: Shop;
let stranger: Shop;
let colleague: CallOptions;
beforeAll(async () => {
  api = await openStaffApi();
  victim = { api, tenant: api.tenant };
  stranger = { api, tenant: await api.addTenant() };
  colleague = { key: await api.addKey(victim.tenant.id) };
});
afterAll(() => api.close());

const lists = calls.filter(({ isList }) => isList);

/** A member of staff on a tenant. */
const staff = (name: string, shop: Shop): CallOptions => ({
  key: null,
  headers: staffHeaders(shop, `admin.${name}`),
});
/** How a tenant itself calls; of a list that is for staff alone, one of them. */
const as = (shop: Shop, { operation }: ApiCall): CallOptions =>
  takesApiKey(operation) ? { key: shop.tenant.key } : staff("one", shop);

const read = ({ operation }: ApiCall, params: Params, query: string, options: CallOptions) =>
  api.call(operation.method, `${fillPath(operation.path, params)}?${query}`, options);

/** A list with three items at least. */
async function fill(shop: Shop, { operation: { path } }: ApiCall): Promise<Params> {
  const params = await makeParams(shop, path);
  for (let item = 0; item < 3; item++) await addListItem(shop, path, params);
  return params;
}

const itemsOf = ({ json }: Answer): string[] => json.items.map((item: unknown) => JSON.stringify(item));

/** One query for each filter of a list, with a value that it takes. */
function filtersOf({ name, queryParameters }: ApiCall): string[] {
  return (
    queryParameters
      .filter(({ name: parameter }) => !["limit", "after", "wait"].includes(parameter))
      // What stands for itself when it is left out is no other query.
      .filter(({ name: parameter }) => `${name} ${parameter}` !== "GET /events order")
      .map(({ name: parameter, schema }) => {
        const value = exampleOf(schema, document.components.schemas, `${name} ${parameter}`);
        const companion = COMPANIONS.get(`${name} ${parameter}`);
        return `${companion ? `${companion}&` : ""}${parameter}=${encodeURIComponent(String(value))}`;
      })
  );
}

/** What a filter is taken with alone. */
const COMPANIONS = new Map([
  ["GET /events from", "order=desc"],
  ["GET /events to", "order=desc"],
]);

/** The cursor to the second page, seen to lead there. */
async function cursorOf(call: ApiCall, params: Params, options: CallOptions): Promise<string> {
  const { json } = await read(call, params, "limit=1", options);
  expect(json.next_cursor, "a cursor to the second page").toEqual(expect.any(String));
  const query = `after=${json.next_cursor}`;
  expect((await read(call, params, query, options)).status).toBe(200);
  return query;
}

function expectRefusal(answers: Answer[]): void {
  const words = answers.map(({ status, json }) => JSON.stringify({ status, ...json, instance: "" }));
  expect(new Set(words).size, words.join("\n")).toBe(1);
  const type = `${api.server.origin}/problems/invalid-cursor`;
  expect(answers[0]?.json).toMatchObject({ status: 400, type });
}

describe.each(lists.filter(({ operation }) => operation.tenant !== "none"))("the list $name", (call) => {
  it("shows nothing of another tenant", async () => {
    const [theirs, own] = [await fill(victim, call), await fill(stranger, call)];
    const nobody: Shop = { api, tenant: await api.addTenant() };
    // What a tenant without anything is shown, all are.
    const toAll = call.pathParameters.length > 0 ? [] : itemsOf(await read(call, {}, "", as(nobody, call)));
    const ofVictim = itemsOf(await read(call, theirs, "limit=100", as(victim, call)));
    const ofStranger = itemsOf(await read(call, own, "limit=100", as(stranger, call)));
    const secret = ofVictim.filter((item) => !toAll.includes(item));
    expect(secret.length).toBeGreaterThanOrEqual(3);
    expect(ofStranger.length).toBeGreaterThanOrEqual(3);
    expect(ofStranger.filter((item) => secret.includes(item))).toEqual([]);
  });

  it("gives staff cursors for the tenant alone that they named", async () => {
    const [theirs, own] = [await fill(victim, call), await fill(stranger, call)];
    const query = await cursorOf(call, theirs, staff("somebody", victim));
    expectRefusal([await read(call, own, query, staff("somebody", stranger))]);
  });
});

describe.each(lists)("a cursor of $name", (call) => {
  it("is taken from nobody else, for nothing else, and refused in the same words", async () => {
    const [theirs, own, others] = [
      await fill(victim, call),
      await fill(stranger, call),
      await fill(victim, call),
    ];
    const options = as(victim, call);
    const query = await cursorOf(call, theirs, options);
    const attempts: [Params, string, CallOptions][] = [
      [theirs, `${query}A`, options],
      [theirs, query, staff("another", victim)],
      ...filtersOf(call).map(
        (filter) => [theirs, `${query}&${filter}`, options] as [Params, string, CallOptions],
      ),
      ...(takesApiKey(call.operation)
        ? ([
            [own, query, as(stranger, call)],
            [theirs, query, colleague],
          ] as [Params, string, CallOptions][])
        : []),
      ...(call.pathParameters.length > 0
        ? ([[others, query, options]] as [Params, string, CallOptions][])
        : []),
    ];
    const elsewhere = lists.filter((list) => list !== call && list.pathParameters.length === 0);
    expectRefusal([
      ...(await Promise.all(attempts.map(([params, sent, by]) => read(call, params, sent, by)))),
      ...(await Promise.all(
        elsewhere
          .filter(({ operation }) => takesApiKey(operation))
          .map((list) => read(list, {}, query, options)),
      )),
    ]);
  });
});
