import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { storeEvents } from "#server/events/store-events.ts";
import { openTestApi, type TestApi, type TestTenant } from "./test-support.ts";

let api: TestApi;
let tenant: TestTenant;
beforeAll(async () => {
  api = await openTestApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const ROUNDS = 12;
const READERS = 4;
const event = (name: string) => ({ type: "t", data: { name } });
const post = (path: string, json: unknown, headers = {}) =>
  api.call("POST", path, { key: tenant.key, json, headers });

/** As `post` with an idempotency key; repeats while the first such request is in flight for longer than one waits. */
async function postOnce(path: string, json: unknown, key: string) {
  for (;;) {
    const answer = await post(path, json, { "idempotency-key": key });
    if (answer.status !== 409) return answer;
  }
}

/** The ways to publish; each gives the names of the events that are stored, once they are acknowledged. */
const WAYS: ((name: string) => Promise<string[]>)[] = [
  async (name) => {
    expect((await post("/events", event(name))).status).toBe(201);
    return [name];
  },
  async (name) => {
    const names = ["a", "b", "c"].map((part) => name + part);
    await post("/events/batch", { events: [...names.map(event), { type: "!" }] });
    return names;
  },
  async (name) => {
    const request = () => postOnce("/events", event(name), name);
    const answers = await Promise.all([request(), request()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    return [name];
  },
  async (name) => {
    const json = { ...event(name), id: `evt_${uuidv7()}` };
    const answers = await Promise.all([post("/events", json), post("/events", json)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    return [name];
  },
  async (name) => {
    const refused = await post("/events/batch?atomic=true", { events: [event(name), { type: "!" }] });
    expect(refused.status).toBe(422);
    const names = [`${name}a`, `${name}b`];
    await postOnce("/events/batch?atomic=true", { events: names.map(event) }, name);
    return names;
  },
  async (name) => {
    // Comes to nothing after it has got its number.
    const undone = withTransaction(api.services.db, async (tx) => {
      await storeEvents(tx, api.services, tenant.id, [{ type: "t", data: JSON.stringify({ name }) }]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    return [];
  },
];

/** Follows the feed with pages of a few events, from cursor to cursor, until it has seen what is `wanted`. */
async function follow(wanted: () => number): Promise<{ sequence: number; name: string }[]> {
  const seen: { sequence: number; name: string }[] = [];
  for (let after = ""; seen.length < wanted(); ) {
    const { json } = await api.call("GET", `/events?limit=7&wait=2${after}`, { key: tenant.key });
    for (const { sequence, data } of json.items) seen.push({ sequence, name: data.name });
    after = `&after=${json.next_cursor}`;
  }
  return seen;
}

it("gives four readers every event once and in order, while sixteen publish in every way there is", async () => {
  const published: string[] = [];
  let isOver = false;
  const publisher = async (number: number) => {
    for (let round = 0; round < ROUNDS; round++) {
      const way = WAYS[(number + round) % WAYS.length];
      published.push(...((await way?.(`${number}-${round}-`)) ?? []));
    }
  };
  const readers = Array.from({ length: READERS }, () =>
    follow(() => (isOver ? published.length : Number.POSITIVE_INFINITY)),
  );
  await Promise.all(Array.from({ length: 16 }, (_, number) => publisher(number)));
  isOver = true;

  const numbers = Array.from({ length: published.length }, (_, at) => at + 1);
  for (const seen of await Promise.all(readers)) {
    expect(seen.map(({ sequence }) => sequence)).toEqual(numbers);
    expect(seen.map(({ name }) => name).sort()).toEqual([...published].sort());
  }
  const { json } = await api.call("GET", "/events?limit=1000", { key: tenant.key });
  expect(json.items.map(({ sequence }: { sequence: number }) => sequence)).toEqual(numbers);
});
