import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const define = (name: string, schema: unknown, key?: string) =>
  api.call("PUT", `/event-types/${name}`, { json: { schema }, ...(key ? { key } : {}) });
const publish = (type: string, data: unknown, more: object = {}) =>
  api.call("POST", "/events", { json: { type, data, ...more } });
const batch = (events: unknown, query = "") =>
  api.call("POST", `/events/batch${query}`, { json: { events } });
const pointers = (problem: { errors: { pointer: string }[] }) => problem.errors.map(({ pointer }) => pointer);
const count = async () => {
  const [row] = await api.services.db.query<{ n: number }>("select count(*)::int as n from events");
  return row?.n ?? 0;
};

const INVOICE = {
  type: "object",
  properties: { amount: { type: "number", minimum: 0 }, lines: { items: { required: ["sku"] } } },
  required: ["amount"],
  additionalProperties: false,
};

describe("a type with a schema", () => {
  it("takes what satisfies it, and points at what does not", async () => {
    await define("invoice.paid", INVOICE);
    expect((await publish("invoice.paid", { amount: 1.5, lines: [{ sku: "a" }] })).status).toBe(201);
    const before = await count();
    const refused = await publish("invoice.paid", { amount: -1, "a/b": 1, lines: [{ sku: "a" }, {}] });
    expect([refused.status, refused.json.type]).toEqual([
      422,
      `${api.server.origin}/problems/validation-error`,
    ]);
    expect(pointers(refused.json).sort()).toEqual(["#/data/amount", "#/data/a~1b", "#/data/lines/1/sku"]);
    expect(pointers((await publish("invoice.paid", {})).json)).toEqual(["#/data/amount"]);
    expect(await count()).toBe(before);
  });

  it("holds each event of a batch to its own schema", async () => {
    await define("batch.number", { properties: { n: { type: "number" } } });
    await define("batch.text", { properties: { n: { type: "string" } } });
    const events = [
      { type: "batch.number", data: { n: 1 } },
      { type: "batch.number", data: { n: "1" } },
      { type: "batch.text", data: { n: "1" } },
      { type: "batch.text", data: { n: 1 } },
      { type: "batch.free", data: { n: null } },
    ];
    const { results } = (await batch(events)).json;
    expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 422, 201, 422, 201]);
    expect([pointers(results[1].problem), pointers(results[3].problem)]).toEqual([
      ["#/events/1/data/n"],
      ["#/events/3/data/n"],
    ]);
    const before = await count();
    const atomic = await batch(events, "?atomic=true");
    expect([atomic.status, pointers(atomic.json)]).toEqual([422, ["#/events/1/data/n", "#/events/3/data/n"]]);
    expect(await count()).toBe(before);
  });

  it("counts from the moment it is stored, is followed by its next, and ends with the type", async () => {
    const outcomes: number[] = [];
    const tryBoth = async () => {
      for (const v of [1, "x"]) outcomes.push((await publish("changing", { v })).status);
    };
    await tryBoth();
    await define("changing", { properties: { v: { type: "number" } } });
    await tryBoth();
    await define("changing", { properties: { v: { type: "string" } } });
    await tryBoth();
    await api.call("DELETE", "/event-types/changing");
    await tryBoth();
    expect(outcomes).toEqual([201, 201, 201, 422, 422, 201, 201, 201]);
  });

  it("says nothing about events that were published before it", async () => {
    const id = `evt_${uuidv7()}`;
    const first = await publish("later", { v: 1 }, { id });
    await define("later", { required: ["w"] });
    const again = await publish("later", { v: 1 }, { id });
    expect([first.status, again.status, again.text]).toEqual([201, 200, first.text]);
    expect((await publish("later", { v: 1 }, { id: `evt_${uuidv7()}` })).status).toBe(422);
  });

  it("concerns its tenant alone", async () => {
    await define("walled", false);
    const { key } = await api.addTenant();
    const other = await api.call("POST", "/events", { key, json: { type: "walled", data: {} } });
    expect([other.status, (await publish("walled", {})).status]).toEqual([201, 422]);
  });

  it("refuses what would take more work than its size allows, and goes on", async () => {
    const branch = (other: string) => ({
      properties: { x: { $ref: "#/$defs/a" } },
      dependentRequired: { x: [other] },
    });
    await define("bomb", {
      $defs: { a: { anyOf: [branch("y"), branch("z")] } },
      $ref: "#/$defs/a",
    });
    let data = {};
    for (let level = 0; level < 28; level++) data = { x: data };
    const started = performance.now();
    expect((await publish("bomb", data)).text).toContain("too much work");
    expect(performance.now() - started).toBeLessThan(5_000);
    expect((await publish("invoice.paid", { amount: 1 })).status).toBe(201);
  });
});
