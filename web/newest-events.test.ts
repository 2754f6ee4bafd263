import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readNewest } from "#server/events/read-newest.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const types = (answer: { json: { items: { type: string }[] } }) =>
  answer.json.items.map((event) => event.type);

/** A tenant of its own, its events and how they are read newest first. */
async function tenant() {
  const { key, id } = await api.addTenant();
  const publish = async (...names: string[]) => {
    for (const type of names) await api.call("POST", "/events", { key, json: { type, data: {} } });
  };
  const read = (query = "") => api.call("GET", `/events?order=desc${query}`, { key });
  /** Moves the moment of an event, as if it had been published then. */
  const date = (type: string, at: string) =>
    api.services.db.query("update events set created_at = $3 where tenant_id = $1 and type = $2", [
      id,
      type,
      at,
    ]);
  return { key, id, publish, read, date };
}

describe("GET /events?order=desc", () => {
  it("reads back from the newest to the oldest, and ends there", async () => {
    const { publish, read } = await tenant();
    const empty = await read();
    expect(empty.json).toEqual({ items: [], next_cursor: null, prev_cursor: null, has_more: false });
    await publish("a", "b", "c");
    const first = await read("&limit=2");
    expect([types(first), first.json.has_more]).toEqual([["c", "b"], true]);
    await publish("d");
    const second = await read(`&limit=2&after=${first.json.next_cursor}`);
    expect(types(second)).toEqual(["a"]);
    expect(second.json).toMatchObject({ next_cursor: null, has_more: false });
    expect(second.headers.get("link")).toBeNull();
  });

  it("can be narrowed to types, with the same in Link", async () => {
    const { publish, read } = await tenant();
    await publish("a", "b", "a", "c");
    const page = await read("&type=a&limit=1");
    expect(types(page)).toEqual(["a"]);
    expect(page.headers.get("link")).toBe(
      `</api/v1/events?order=desc&type=a&limit=1&after=${page.json.next_cursor}>; rel="next"`,
    );
    const other = await read(`&type=b&after=${page.json.next_cursor}`);
    expect([other.status, other.json.title]).toEqual([400, "Invalid cursor"]);
    expect(types(await read(`&type=a&after=${page.json.next_cursor}`))).toEqual(["a"]);
  });

  it("can be narrowed to a time, however many events lie beside it", async () => {
    const { publish, read, date } = await tenant();
    await publish("a", "b", "c", "d", "e");
    for (const [at, type] of ["a", "b", "c", "d", "e"].entries())
      await date(type, `2026-01-0${at + 1}T12:00:00Z`);
    expect(types(await read("&from=2026-01-02T12:00:00Z&to=2026-01-04T12:00:00Z"))).toEqual(["c", "b"]);
    expect(types(await read("&from=2026-01-05T00:00:00Z"))).toEqual(["e"]);
    expect(types(await read("&to=2026-01-01T00:00:00Z"))).toEqual([]);
    const page = await read("&limit=1&to=2026-01-03T12:00:00Z");
    expect([types(page), page.json.has_more]).toEqual([["b"], true]);
    expect(types(await read(`&to=2026-01-03T12:00:00Z&after=${page.json.next_cursor}`))).toEqual(["a"]);
  });

  it("comes to what is rare part by part, and begins after what retention has purged", async () => {
    const { id, publish, read } = await tenant();
    await publish("rare", ...Array(6).fill("usual"));
    const looking = { tenantId: id, types: ["rare"], from: null, to: null, limit: 5, span: 3 };
    const first = await readNewest(api.services, { ...looking, before: null, walkMs: 0 });
    expect(first).toEqual({ bodies: [], hasMore: true, next: "5" });
    const all = await readNewest(api.services, { ...looking, before: first.next, walkMs: 60_000 });
    expect([all.bodies.length, all.hasMore]).toEqual([1, false]);
    await api.services.db.query("update tenant_sequences set purged = 5 where tenant_id = $1", [id]);
    expect(types(await read())).toEqual(["usual", "usual"]);
  });

  it.each([
    ["order=desc&wait=1", "wait: cannot be used with order=desc."],
    ["from=2026-01-01T00:00:00Z", "from: cannot be used without order=desc."],
    ["order=asc&to=2026-01-01T00:00:00Z", "to: cannot be used without order=desc."],
  ])("refuses ?%s", async (query, detail) => {
    const answer = await api.call("GET", `/events?${query}`);
    expect([answer.status, answer.json.detail]).toEqual([400, detail]);
  });

  it("takes no cursor of the feed, nor gives it one", async () => {
    const { key, publish, read } = await tenant();
    await publish("a", "b");
    const feed = await api.call("GET", "/events?limit=1", { key });
    expect((await read(`&after=${feed.json.next_cursor}`)).status).toBe(400);
    const { json } = await read("&limit=1");
    expect((await api.call("GET", `/events?after=${json.next_cursor}`, { key })).status).toBe(400);
  });
});
