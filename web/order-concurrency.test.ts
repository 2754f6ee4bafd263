import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { eventually } from "#tests/eventually.ts";
import { type Answer, type CallOptions, openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const create = async (): Promise<number> =>
  (await api.call("POST", "/orders", { json: { CustomerId: "c", Total: 5, Currency: "EUR" } })).json.id;
const pay = (id: number, call: CallOptions = {}) => api.call("POST", `/orders/${id}/payment`, call);
const cancel = (id: number, call: CallOptions = {}) => api.call("PUT", `/orders/${id}/cancellation`, call);
const ship = (id: number, call: CallOptions = {}) => api.call("PUT", `/orders/${id}/shipment`, call);
const put = (id: number, version: number, shipping_address: string) =>
  api.call("PUT", `/orders/${id}`, {
    json: { shipping_address },
    headers: { "if-match": `"${version}"` },
  });
const read = async (id: number) => (await api.call("GET", `/orders/${id}`)).json;
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

interface OrderEvent {
  type: string;
  sequence: number;
  data: { id: number; version: number; status: string; shipping_address: unknown };
}

/** Starts calls that change an order while it is locked, and lets go of it when several of them are waiting for it. */
async function whileHeld<T>(id: number, start: () => Promise<T>): Promise<T> {
  const { db } = api.services;
  const started = await withTransaction(db, async (tx) => {
    await tx.query("select 1 from orders where id = $1 for update", [id]);
    const answers = start();
    await eventually(async () => {
      await tx.query("select pg_stat_clear_snapshot()");
      const [waiting] = await tx.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(waiting?.n).toBeGreaterThan(4);
    }, 4_000);
    return { answers };
  });
  return started.answers;
}

/** Every event of the tenant, page by page. */
async function allEvents(): Promise<OrderEvent[]> {
  const events: OrderEvent[] = [];
  for (let after = ""; ; ) {
    const { json } = await api.call("GET", `/events?limit=1000${after}`);
    if (json.items.length === 0) return events;
    events.push(...json.items);
    after = `&after=${json.next_cursor}`;
  }
}
const eventsOf = async (id: number) => (await allEvents()).filter(({ data }) => data.id === id);
const tally = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );

describe("changes of one order at the same time", () => {
  it("of a hundred on one version let one succeed, with one event, and tell the others the new version", async () => {
    const id = await create();
    const answers = await whileHeld(id, () => times(100, (index) => put(id, 1, `address ${index}`)));
    expect(tally(answers)).toEqual({ 204: 1, 412: 99 });
    for (const { status, json } of answers) if (status === 412) expect(json.current_version).toBe(2);
    const winner = answers.findIndex(({ status }) => status === 204);
    expect(await read(id)).toMatchObject({ version: 2, shipping_address: `address ${winner}` });
    const events = await eventsOf(id);
    expect(events.map(({ type, data }) => [type, data.version])).toEqual([
      ["OrderCreated", 1],
      ["OrderUpdated", 2],
    ]);
    expect(events.at(-1)?.data.shipping_address).toBe(`address ${winner}`);
  });

  it("lose no update of those that read again and repeat", async () => {
    const id = await create();
    await times(8, async (index) => {
      for (;;) {
        const { version } = await read(id);
        if ((await put(id, version, `writer ${index}`)).status === 204) return;
      }
    });
    expect((await read(id)).version).toBe(9);
    const events = await eventsOf(id);
    expect(events.map(({ data }) => data.version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const seen = new Set(events.slice(1).map(({ data }) => data.shipping_address));
    expect(seen.size).toBe(8);
  });

  it("cancel it once, whoever asks, and give all of them the same order", async () => {
    const id = await create();
    const answers = await times(50, () => cancel(id, { json: { reason: "ordered twice" } }));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([answers[0]?.status, answers[0]?.json.version]).toEqual([200, 2]);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(["OrderCreated", "OrderCancelled"]);
  });

  it("pay and cancel it in some order, with one event for what each has changed", async () => {
    const ids = await times(20, create);
    const rounds = await times(20, async (index) => {
      const id = ids[index] ?? 0;
      const calls = index % 2 === 0 ? [pay, cancel] : [cancel, pay];
      const answers = await Promise.all(calls.map((call) => call(id)));
      const [paid] = index % 2 === 0 ? answers : answers.toReversed();
      return { id, paid: paid?.status, statuses: answers.map(({ status }) => status).sort() };
    });
    const events = await allEvents();
    for (const { id, paid, statuses } of rounds) {
      const types = events.filter(({ data }) => data.id === id).map(({ type }) => type);
      const wanted =
        paid === 200
          ? ["OrderCreated", "PaymentCaptured", "OrderCancelled"]
          : ["OrderCreated", "OrderCancelled"];
      expect(types).toEqual(wanted);
      expect(statuses).toEqual(paid === 200 ? [200, 200] : [200, 409]);
      expect(await read(id)).toMatchObject({ status: "cancelled", version: wanted.length });
    }
  });

  it("either ship it or cancel it, and never both", async () => {
    const ids = await times(20, create);
    await times(20, (index) => pay(ids[index] ?? 0));
    for (const id of ids) {
      const answers = await Promise.all([ship(id), cancel(id), ship(id), cancel(id)]);
      expect(tally(answers)).toEqual({ 200: 2, 409: 2 });
      const { status, version } = await read(id);
      const refused = answers.find((answer) => answer.status === 409);
      expect([version, refused?.json.state]).toEqual([3, status]);
      const types = (await eventsOf(id)).map(({ type }) => type);
      expect(types.slice(1)).toEqual([
        "PaymentCaptured",
        status === "shipped" ? "OrderShipped" : "OrderCancelled",
      ]);
    }
  });

  it("are all told of in the order of their versions, without a gap in the feed", async () => {
    const events = await allEvents();
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    for (const mine of Map.groupBy(events, ({ data }) => data.id).values())
      expect(mine.map(({ data }) => data.version)).toEqual(mine.map((_, index) => index + 1));
  });
});

describe("one Idempotency-Key on many requests at the same time", () => {
  it("pays an order once and gives every caller that answer", async () => {
    const id = await create();
    const headers = { "idempotency-key": "pay-once" };
    const answers = await times(100, () => pay(id, { headers, json: { method: "card" } }));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter(({ headers: given }) => given.get("idempotent-replayed") === null)).toHaveLength(1);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(["OrderCreated", "PaymentCaptured"]);
  });
});
