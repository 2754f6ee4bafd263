import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const publish = (type: string, key: string, data: object = {}) =>
  api.call("POST", "/events", { key, json: { type, data } });
const types = (answer: { json: { items: { type: string }[] } }) =>
  answer.json.items.map((event) => event.type);

/** A tenant of its own, and its feed. */
async function feed() {
  const { key } = await api.addTenant();
  return {
    key,
    publish: (type: string, data?: object) => publish(type, key, data),
    read: (query = "") => api.call("GET", `/events${query}`, { key }),
  };
}

describe("GET /events", () => {
  it("is read to its end and on from there, oldest first, with a cursor on every page", async () => {
    const { read, publish } = await feed();
    const empty = await read();
    expect(empty.json).toMatchObject({ items: [], prev_cursor: null, has_more: false });
    expect(empty.json.next_cursor).toEqual(expect.any(String));
    for (const type of ["a", "b", "c"]) await publish(type);
    const first = await read(`?limit=2&after=${empty.json.next_cursor}`);
    expect([types(first), first.json.has_more]).toEqual([["a", "b"], true]);
    const second = await read(`?limit=2&after=${first.json.next_cursor}`);
    expect([types(second), second.json.has_more]).toEqual([["c"], false]);
    const third = await read(`?after=${second.json.next_cursor}`);
    expect(types(third)).toEqual([]);
    await publish("d");
    expect(types(await read(`?after=${third.json.next_cursor}`))).toEqual(["d"]);
  });

  it("names the next page in Link, with the same filters", async () => {
    const { read, publish } = await feed();
    await publish("a");
    const answer = await read("?type=a&limit=5");
    const [, target] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "") ?? [];
    expect(target).toBe(`/api/v1/events?type=a&limit=5&after=${answer.json.next_cursor}`);
  });

  it("can be narrowed to types, and then passes over what was not asked for", async () => {
    const { read, publish } = await feed();
    for (const type of ["a", "b", "c", "b"]) await publish(type);
    expect(types(await read("?type=b"))).toEqual(["b", "b"]);
    const both = await read("?type=c&type=a");
    expect(types(both)).toEqual(["a", "c"]);
    expect(types(await read(`?type=a&type=c&after=${both.json.next_cursor}`))).toEqual([]);
    await publish("a");
    expect(types(await read(`?type=a&type=c&after=${both.json.next_cursor}`))).toEqual(["a"]);
    const other = await read(`?type=a&after=${both.json.next_cursor}`);
    expect([other.status, other.json.type]).toEqual([400, `${api.server.origin}/problems/invalid-cursor`]);
  });

  it("never skips an event while many are published", async () => {
    const { read, publish } = await feed();
    const total = 120;
    const publishing = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < total / 8; round++) await publish("a");
      }),
    );
    const seen: number[] = [];
    let after = "";
    while (seen.length < total) {
      const { json } = await read(`?limit=7&wait=1${after}`);
      seen.push(...json.items.map((event: { sequence: number }) => event.sequence));
      after = `&after=${json.next_cursor}`;
    }
    await publishing;
    expect(seen).toEqual(Array.from({ length: total }, (_, at) => at + 1));
  });

  it("ends a page early when its events are large", async () => {
    const { read, publish } = await feed();
    for (let made = 0; made < 45; made++) await publish("large", { text: "x".repeat(200_000) });
    const first = await read("?limit=1000");
    expect(first.json.items.length).toBeGreaterThan(10);
    expect(first.json.items.length).toBeLessThan(45);
    expect(first.json.has_more).toBe(true);
    const second = await read(`?limit=1000&after=${first.json.next_cursor}`);
    expect(first.json.items.length + second.json.items.length).toBe(45);
  });

  it.each(["wait=31", "wait=-1", "wait=x", "type=", "type=a%20b", "limit=0", "after=x", "x=1"])(
    "refuses ?%s",
    async (query) => {
      expect((await api.call("GET", `/events?${query}`)).status).toBe(400);
    },
  );
});

describe("GET /events?wait=", () => {
  it("answers as soon as there is something", async () => {
    const { read, publish } = await feed();
    const { json } = await read();
    const started = performance.now();
    const waiting = read(`?wait=30&after=${json.next_cursor}`);
    await publish("late");
    expect(types(await waiting)).toEqual(["late"]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("answers an empty page when the time is up", async () => {
    const { read } = await feed();
    const started = performance.now();
    const answer = await read("?wait=1");
    expect([answer.status, answer.json.items]).toEqual([200, []]);
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  it("ends when the client has left", async () => {
    const { key, read } = await feed();
    const { json } = await read();
    const { feedWatch } = api.services;
    const wait = feedWatch.wait.bind(feedWatch);
    const ends: string[] = [];
    feedWatch.wait = async (...details) => {
      ends.push("waits");
      const outcome = await wait(...details);
      ends.push("has ended");
      return outcome;
    };
    const client = new AbortController();
    const request = fetch(`${api.base}/events?wait=30&after=${json.next_cursor}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: client.signal,
    });
    await expect.poll(() => ends).toEqual(["waits"]);
    client.abort();
    await expect(request).rejects.toThrow();
    await expect.poll(() => ends).toEqual(["waits", "has ended"]);
    feedWatch.wait = wait;
  });
});
