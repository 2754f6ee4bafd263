import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const sequences = (answer: { json: { items: { sequence: number }[] } }) =>
  answer.json.items.map(({ sequence }) => sequence);

/** A tenant with ten events, of which retention takes the oldest away. */
async function feed() {
  const { id, key } = await api.addTenant();
  const events = Array.from({ length: 10 }, (_, at) => ({ type: at % 2 ? "odd" : "even", data: {} }));
  await api.call("POST", "/events/batch", { key, json: { events } });
  return {
    read: (query = "") => api.call("GET", `/events${query}`, { key }),
    async purge(upTo: number) {
      const { db } = api.services;
      await db.query("delete from events where tenant_id = $1 and sequence <= $2", [id, upTo]);
      await db.query("update tenant_sequences set purged = $2 where tenant_id = $1", [id, upTo]);
    },
  };
}

describe("a feed whose oldest events have been purged", () => {
  it("starts with the oldest that is kept", async () => {
    const { read, purge } = await feed();
    await purge(4);
    expect(sequences(await read())).toEqual([5, 6, 7, 8, 9, 10]);
    expect(sequences(await read("?type=odd"))).toEqual([6, 8, 10]);
  });

  it("tells a reader from before that, with a cursor to go on from", async () => {
    const { read, purge } = await feed();
    const behind = await read("?limit=3");
    const atTheEdge = await read("?limit=4");
    await purge(4);
    const gone = await read(`?after=${behind.json.next_cursor}`);
    expect([gone.status, gone.json.type]).toEqual([410, `${api.server.origin}/problems/events-expired`]);
    const on = await read(`?after=${gone.json.oldest_cursor}`);
    expect(sequences(on)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(sequences(await read(`?after=${atTheEdge.json.next_cursor}`))).toEqual([5, 6, 7, 8, 9, 10]);
  });

  it("binds that cursor to the query that was made", async () => {
    const { read, purge } = await feed();
    const behind = await read("?type=odd&limit=1");
    await purge(5);
    const gone = await read(`?type=odd&after=${behind.json.next_cursor}`);
    expect(gone.status).toBe(410);
    expect(sequences(await read(`?type=odd&after=${gone.json.oldest_cursor}`))).toEqual([6, 8, 10]);
    expect((await read(`?after=${gone.json.oldest_cursor}`)).status).toBe(400);
  });

  it("goes on when all of it is gone", async () => {
    const { read, purge } = await feed();
    const end = await read();
    await purge(10);
    expect([(await read()).json.items, (await read(`?after=${end.json.next_cursor}`)).status]).toEqual([
      [],
      200,
    ]);
  });

  it("tells a reader at once that would have waited", async () => {
    const { read, purge } = await feed();
    const start = await read("?limit=2");
    await purge(10);
    expect((await read(`?after=${start.json.next_cursor}&wait=30`)).status).toBe(410);
  });
});
