import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JsonSource } from "#server/http/json/json-source.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const publish = (json: unknown) => api.call("POST", "/events", { json });
const publishRaw = (body: string) => api.call("POST", "/events", { body });
const batch = (events: unknown, query = "") =>
  api.call("POST", `/events/batch${query}`, { json: { events } });
const newId = () => `evt_${uuidv7()}`;

async function count(table: "events" | "deliveries"): Promise<number> {
  const [row] = await api.services.db.query<{ n: number }>(`select count(*)::int as n from ${table}`);
  return row?.n ?? 0;
}

describe("POST /events", () => {
  it("answers 201 with Location and the event, which reads back to the byte", async () => {
    const made = await publish({ type: "invoice.paid", data: { a: 1 } });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ type: "invoice.paid", api_version: "1", data: { a: 1 } });
    expect(made.headers.get("location")).toBe(`/api/v1/events/${made.json.id}`);
    const read = await api.call("GET", `/events/${made.json.id}`);
    expect(read.text).toBe(made.text);
  });

  it.each([
    '{ "b":1.0,\n "a": 1e2, "10":0, "9":-0.0, "n": 12345678901234567890.10 }',
    '{"e":"\\u00e9\\/\\u0000\\ud800 é 😀","":"\\"}{"}',
    "{ }",
    '{"data":{"data":[[ ],{ }]},"a":1,"a":2}',
  ])("keeps data to the byte: %s", async (data) => {
    const made = await publishRaw(`{"type":"bytes", "data" : ${data}\n}`);
    expect(made.status, made.text).toBe(201);
    expect(new JsonSource(Buffer.from(made.text)).member("data")).toBe(data);
    expect((await api.call("GET", `/events/${made.json.id}`)).text).toBe(made.text);
    const feed = await api.call("GET", "/events?type=bytes");
    expect(feed.text).toContain(made.text);
  });

  it.each([
    [{ type: "a" }, "#/data"],
    [{ data: {} }, "#/type"],
    [{ type: "a", data: [] }, "#/data"],
    [{ type: "a", data: null }, "#/data"],
    [{ type: "1a", data: {} }, "#/type"],
    [{ type: "a..b", data: {} }, "#/type"],
    [{ type: "posthorn.endpoint.disabled", data: {} }, "#/type"],
    [{ type: "posthorn.x", data: {} }, "#/type"],
    [{ type: `a${"b".repeat(128)}`, data: {} }, "#/type"],
    [{ type: "a", data: {}, id: "evt_x" }, "#/id"],
    [{ type: "a", data: {}, id: "evt_6f1f2f3a-1111-4222-8333-123456789abc" }, "#/id"],
    [{ type: "a", data: {}, id: "evt_01800000-0000-7000-8000-000000000000" }, "#/id"],
    [{ type: "a", data: {}, sequence: 1 }, "#/sequence"],
  ])("refuses %j with a pointer", async (json, pointer) => {
    const answer = await publish(json);
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer]);
  });

  it("makes one event of an id, however often it is sent", async () => {
    const event = { id: newId(), type: "once", data: { a: 1, b: 2 } };
    const first = await publish(event);
    expect([first.status, first.json.id]).toEqual([201, event.id]);
    const again = await publishRaw(`{"data":{"b": 2, "a": 1},"type":"once","id":"${event.id}"}`);
    expect([again.status, again.text]).toEqual([200, first.text]);
    for (const change of [{ data: { a: 1 } }, { type: "twice" }]) {
      const clash = await publish({ ...event, ...change });
      expect([clash.status, clash.json.type]).toEqual([
        422,
        `${api.server.origin}/problems/idempotency-key-reused`,
      ]);
    }
  });

  it("makes one event of an id that is sent many times at once", async () => {
    const event = { id: newId(), type: "parallel", data: {} };
    const answers = await Promise.all(Array.from({ length: 16 }, () => publish(event)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(15).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });

  it("makes one event of an id that is sent at once under different idempotency keys", async () => {
    const json = { id: newId(), type: "keyed", data: {} };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        api.call("POST", "/events", { json, headers: { "idempotency-key": `parallel-${n}` } }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(7).fill(200), 201]);
  });

  it("takes back the id of an event that another tenant has", async () => {
    const event = { id: newId(), type: "mine", data: {} };
    const { key } = await api.addTenant();
    expect((await publish(event)).status).toBe(201);
    expect((await api.call("POST", "/events", { key, json: event })).status).toBe(201);
  });

  it("numbers the events of many publishers without a gap", async () => {
    const { key } = await api.addTenant();
    const publisher = async () => {
      for (let round = 0; round < 8; round++)
        await api.call("POST", "/events", { key, json: { type: "a", data: {} } });
    };
    await Promise.all(Array.from({ length: 16 }, publisher));
    const { json } = await api.call("GET", "/events?limit=1000", { key });
    const sequences = json.items.map((event: { sequence: number }) => event.sequence);
    expect(sequences).toEqual(Array.from({ length: 128 }, (_, at) => at + 1));
  });
});

describe("events that are published at the same time", () => {
  it("share commits, and are numbered without a gap", async () => {
    const { id, key } = await api.addTenant();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        api.call("POST", "/events", { key, json: { type: "a", data: { n } } }),
      ),
    );
    const sequences = answers.map((answer) => answer.json.sequence).sort((a, b) => a - b);
    expect(sequences).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    const [row] = await api.services.db.query<{ commits: number }>(
      "select count(distinct xmin::text)::int as commits from events where tenant_id = $1",
      [id],
    );
    expect(row?.commits).toBeLessThan(60);
  });

  it("do not fail with one that cannot be stored", async () => {
    const { db } = api.services;
    await db.query("alter table events add constraint no_poison check (type <> 'poison')");
    const types = Array.from({ length: 30 }, (_, at) => (at % 10 === 4 ? "poison" : "fine"));
    const answers = await Promise.all(types.map((type) => publish({ type, data: {} })));
    await db.query("alter table events drop constraint no_poison");
    expect(answers.map((answer) => answer.status)).toEqual(
      types.map((type) => (type === "poison" ? 500 : 201)),
    );
  });
});

describe("POST /events/batch", () => {
  it("stores events in their order and tells of each", async () => {
    const known = await publish({ id: newId(), type: "known", data: { x: 1 } });
    const id = newId();
    const answer = await batch([
      { type: "one", data: {} },
      { type: "", data: {} },
      { id, type: "two", data: {} },
      { id, type: "two", data: {} },
      { id, type: "two", data: { other: true } },
      { id: known.json.id, type: "known", data: { x: 1 } },
      { type: "three", data: {}, extra: 1 },
      "nothing",
    ]);
    expect(answer.status).toBe(200);
    const { results } = answer.json;
    expect(results.map((result: { status: number }) => result.status)).toEqual([
      201, 422, 201, 200, 422, 200, 422, 422,
    ]);
    expect([results[2].id, results[3].id, results[5].id]).toEqual([id, id, known.json.id]);
    const pointers = results.map(
      (result: { problem?: { errors: { pointer: string }[] } }) => result.problem?.errors[0]?.pointer,
    );
    expect(pointers.filter(Boolean)).toEqual([
      "#/events/1/type",
      "#/events/4/id",
      "#/events/6/extra",
      "#/events/7",
    ]);
    const [one, two] = await Promise.all([0, 2].map((at) => api.call("GET", `/events/${results[at].id}`)));
    expect([one?.json.type, two?.json.type]).toEqual(["one", "two"]);
    expect(two?.json.sequence).toBe(one?.json.sequence + 1);
  });

  it("stores nothing of an atomic batch with one that is bad, and points at every defect", async () => {
    const before = await count("events");
    const good = { type: "good", data: {} };
    const answer = await batch([good, { type: 7, data: {} }, good, { data: {} }], "?atomic=true");
    expect(answer.status).toBe(422);
    const pointers = answer.json.errors.map((error: { pointer: string }) => error.pointer);
    expect(pointers).toEqual(["#/events/1/type", "#/events/3/type"]);
    expect(await count("events")).toBe(before);
    expect((await batch([good, good], "?atomic=true")).json.results).toHaveLength(2);
  });

  it("keeps the data of each to the byte", async () => {
    const answer = await api.call("POST", "/events/batch", {
      body: '{"events":[{"type":"a","data":{"n":1.50}},{"data": {"b":1, "a":2},"type":"a"}]}',
    });
    const texts = await Promise.all(
      answer.json.results.map(
        async ({ id }: { id: string }) => (await api.call("GET", `/events/${id}`)).text,
      ),
    );
    expect(texts.map((text) => new JsonSource(Buffer.from(text)).member("data"))).toEqual([
      '{"n":1.50}',
      '{"b":1, "a":2}',
    ]);
  });

  it("takes a thousand events and not one more, none being too few", async () => {
    const event = { type: "many", data: {} };
    expect((await batch(Array(1000).fill(event))).json.results).toHaveLength(1000);
    for (const events of [[], Array(1001).fill(event), "x"]) {
      const answer = await batch(events);
      expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, "#/events"]);
    }
  });

  it("takes more than a single event may have, up to 8 MiB, but no event that is larger than one may be", async () => {
    const large = { type: "large", data: { text: "x".repeat(200_000) } };
    const tooLarge = { type: "large", data: { text: "x".repeat(300_000) } };
    const answer = await batch([large, large, tooLarge]);
    expect(answer.json.results.map((result: { status: number }) => result.status)).toEqual([201, 201, 422]);
    expect((await batch(Array(45).fill(large))).status).toBe(413);
  });
});

it("makes a delivery for every endpoint that subscribes, with the event or not at all", async () => {
  const subscribe = (event_types: string[]) =>
    api.call("POST", "/webhook-endpoints", { json: { url: "https://example.com/x", event_types } });
  await Promise.all([
    subscribe(["*"]),
    subscribe(["fan.*", "other"]),
    subscribe(["fan.out"]),
    subscribe(["nothing"]),
  ]);
  const before = await count("deliveries");
  await publish({ type: "fan.out", data: {} });
  expect(await count("deliveries")).toBe(before + 3);
  await batch([{ type: "fan.out", data: {} }, { type: "" }], "?atomic=true");
  expect(await count("deliveries")).toBe(before + 3);
});
