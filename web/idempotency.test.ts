import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { type Answer, openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
let now = new Date();
beforeAll(async () => {
  api = await openTestApi({ now: () => now });
});
afterAll(() => api.close());

const order = { CustomerId: "c", Total: 1, Currency: "EUR" };
const withKey = (key: string, more: Record<string, string> = {}) => ({
  headers: { "idempotency-key": key, ...more },
});
const create = (key: string, json: unknown = order) => api.call("POST", "/orders", { json, ...withKey(key) });
const slugOf = (answer: Answer) => [answer.status, answer.json?.type?.split("/").at(-1)];

async function countOrders(): Promise<number> {
  const [row] = await api.services.db.query<{ n: number }>("select count(*)::int as n from orders");
  return row?.n ?? 0;
}

describe("Idempotency-Key", () => {
  it("replays status, body and headers of the first answer", async () => {
    const first = await create("replay");
    const again = await create("replay");
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect([again.status, again.text]).toEqual([201, first.text]);
    for (const name of ["location", "etag", "content-type"])
      expect(again.headers.get(name), name).toBe(first.headers.get(name));
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  });

  it("is the same quoted and bare, and the body may be spelled otherwise", async () => {
    const first = await create("quoted");
    const again = await api.call("POST", "/orders", {
      body: '{ "Total": 1, "Currency": "EUR",\n"CustomerId": "\\u0063" }',
      ...withKey('"quoted"'),
    });
    expect(again.text).toBe(first.text);
  });

  it("makes one order of a hundred requests at once, and gives all of them the same answer", async () => {
    const before = await countOrders();
    const answers = await Promise.all(Array.from({ length: 100 }, () => create("hundred")));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await countOrders()).toBe(before + 1);
  });

  it("gives the order to one of two requests at once, and refuses the other content to the rest", async () => {
    const before = await countOrders();
    const totals = Array.from({ length: 40 }, (_, index) => 1 + (index % 2));
    const answers = await Promise.all(totals.map((Total) => create("contested", { ...order, Total })));
    const [made] = answers.filter(({ status }) => status === 201);
    for (const [index, answer] of answers.entries())
      if (totals[index] === made?.json.Total) expect(answer.text).toBe(made?.text);
      else expect(slugOf(answer)).toEqual([422, "idempotency-key-reused"]);
    expect(await countOrders()).toBe(before + 1);
  });

  it("refuses another request under the same key", async () => {
    await create("reused");
    expect(slugOf(await create("reused", { ...order, Total: 2 }))).toEqual([422, "idempotency-key-reused"]);
    const atomic = { json: { events: [{ type: "a", data: {} }] }, ...withKey("query") };
    expect((await api.call("POST", "/events/batch", atomic)).status).toBe(200);
    expect(slugOf(await api.call("POST", "/events/batch?atomic=true", atomic))).toEqual([
      422,
      "idempotency-key-reused",
    ]);
  });

  it("tells requests apart by digits that a double would lose", async () => {
    const publish = (n: string) =>
      api.call("POST", "/events", { body: `{"type":"a","data":{"n":${n}}}`, ...withKey("digits") });
    expect((await publish("9007199254740993")).status).toBe(201);
    expect(slugOf(await publish("9007199254740992"))).toEqual([422, "idempotency-key-reused"]);
  });

  it("is another key on another path, for another caller and for another tenant", async () => {
    const first = await create("scope");
    const { json: made } = await create("to pay".replace(" ", "-"));
    expect((await api.call("POST", `/orders/${made.id}/payment`, withKey("scope"))).json.status).toBe("paid");
    const colleague = await api.addKey(api.tenant.id);
    const stranger = await api.addTenant();
    for (const key of [colleague, stranger.key]) {
      const answer = await api.call("POST", "/orders", { key, json: order, ...withKey("scope") });
      expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([201, null]);
      expect(answer.json.id).not.toBe(first.json.id);
    }
  });

  it("replays a refusal that was decided by the state, and undoes nothing else by it", async () => {
    const { json: made } = await create("refusal");
    const pay = (key: string) => api.call("POST", `/orders/${made.id}/payment`, withKey(key));
    const paid = await pay("first");
    const refused = await pay("second");
    expect(slugOf(refused)).toEqual([409, "state-conflict"]);
    const [paidAgain, refusedAgain] = [await pay("first"), await pay("second")];
    expect([paidAgain.status, paidAgain.text]).toEqual([200, paid.text]);
    expect([refusedAgain.status, refusedAgain.text]).toEqual([409, refused.text]);
    expect(refusedAgain.headers.get("content-type")).toBe("application/problem+json");
    expect(refusedAgain.headers.get("idempotent-replayed")).toBe("true");
  });

  it("replays an answer whose own doing has made the If-Match of the request stale", async () => {
    const { json: made } = await create("conditional-order");
    const pay = (key: string, version: string, json?: unknown) =>
      api.call("POST", `/orders/${made.id}/payment`, { json, ...withKey(key, { "if-match": version }) });
    expect(slugOf(await pay("conditional", '"9"'))).toEqual([412, "precondition-failed"]);
    const paid = await pay("conditional", '"1"');
    const again = await pay("conditional", '"1"');
    expect([paid.status, again.status, again.text]).toEqual([200, 200, paid.text]);
    expect([again.headers.get("idempotent-replayed"), again.headers.get("etag")]).toEqual(["true", '"2"']);
    // Another key, or another request, is another matter.
    expect(slugOf(await pay("another", '"1"'))).toEqual([412, "precondition-failed"]);
    expect(slugOf(await pay("conditional", '"1"', { method: "card" }))).toEqual([412, "precondition-failed"]);
    expect(slugOf(await pay("two words", '"1"'))).toEqual([412, "precondition-failed"]);
    const start = now;
    now = new Date(start.getTime() + 7 * 86_400_000);
    expect(slugOf(await pay("conditional", '"1"'))).toEqual([412, "precondition-failed"]);
    now = new Date();
  });

  it("gives one refusal to all who ask at once", async () => {
    const { json: made } = await create("refused-order");
    await api.call("PUT", `/orders/${made.id}/cancellation`);
    const pay = () => api.call("POST", `/orders/${made.id}/payment`, withKey("refused-to-all"));
    const answers = await Promise.all(Array.from({ length: 20 }, pay));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(slugOf(answers[0] as Answer)).toEqual([409, "state-conflict"]);
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
  });

  it("is not used up by a request that was refused before it was looked at", async () => {
    const reader = await api.addKey(api.tenant.id, ["orders:read"]);
    const refused = [
      await api.call("POST", "/orders", { json: order, key: reader, ...withKey("early") }),
      await api.call("POST", "/orders", { body: "x", ...withKey("early", { "content-type": "text/plain" }) }),
      await api.call("POST", "/orders", { body: "{", ...withKey("early") }),
      await api.call("POST", "/orders?x=1", { json: order, ...withKey("early") }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 415, 400, 400]);
    const { json: made } = await create("early");
    const pay = (id: number | string, version: number) =>
      api.call("POST", `/orders/${id}/payment`, withKey("early", { "if-match": `"${version}"` }));
    expect([(await pay("1", 1)).status, (await pay(made.id, 9)).status]).toEqual([404, 412]);
    const paid = await pay(made.id, 1);
    expect([paid.status, paid.headers.get("idempotent-replayed")]).toEqual([200, null]);
  });

  it("is not used up by a request that did not pass validation", async () => {
    for (const Total of [-1, 0.001]) expect((await create("invalid", { ...order, Total })).status).toBe(422);
    expect((await create("invalid")).status).toBe(201);
  });

  it("stores nothing of what failed on our side", async () => {
    const { db } = api.services;
    await db.query("alter table orders add constraint broken check (customer_id <> 'broken')");
    const broken = { ...order, CustomerId: "broken" };
    const failed = await create("failing", broken);
    expect([failed.status, failed.json.type, failed.json.detail]).toEqual([500, "about:blank", undefined]);
    await db.query("alter table orders drop constraint broken");
    const answer = await create("failing", broken);
    expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([201, null]);
  });

  it("answers 409 with Retry-After while the first request is still in flight", async () => {
    const keyColumns = "tenant_id, principal_id, method, path, key, fingerprint, expires_at";
    const [holder] = await api.services.db.query<{ principal: string }>(
      "select principal_id::text as principal from api_keys where tenant_id = $1 order by created_at limit 1",
      [api.tenant.id],
    );
    await withTransaction(api.services.db, async (tx) => {
      await tx.query(
        `insert into idempotency_records (${keyColumns}) values ($1, $2, 'POST', '/api/v1/orders', 'flight', '', now())`,
        [api.tenant.id, holder?.principal],
      );
      const started = performance.now();
      const answer = await create("flight");
      expect(slugOf(answer)).toEqual([409, "idempotency-in-progress"]);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(performance.now() - started).toBeGreaterThan(1_900);
      throw new Error("rolled back");
    }).catch((error: Error) => expect(error.message).toBe("rolled back"));
    expect((await create("flight")).status).toBe(201);
  });

  it("is forgotten after seven days, and not before", async () => {
    const first = await create("week");
    const start = now;
    now = new Date(start.getTime() + 7 * 86_400_000 - 1);
    expect((await create("week")).text).toBe(first.text);
    now = new Date(start.getTime() + 7 * 86_400_000);
    const later = await create("week");
    expect([later.status, later.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect(later.json.id).not.toBe(first.json.id);
    now = new Date();
  });

  it.each(["two words", "", '""', '"open', "x".repeat(256), `"${"x".repeat(256)}"`, "caf\u00e9", "a, b"])(
    "must be 1 to 255 visible ASCII characters, and not %j",
    async (key) => {
      const before = await countOrders();
      expect(slugOf(await create(key))).toEqual([400, "invalid-parameter"]);
      expect(await countOrders()).toBe(before);
    },
  );

  it("may be 255 characters long", async () => {
    const key = "k".repeat(255);
    const first = await create(key);
    expect((await create(`"${key}"`)).text).toBe(first.text);
  });

  it("is of no account but in a POST", async () => {
    expect((await api.call("GET", "/orders", withKey("two words"))).status).toBe(200);
    const { json: made } = await create("only-posts");
    const put = (version: number) =>
      api.call("PUT", `/orders/${made.id}`, {
        json: { shipping_address: "a" },
        ...withKey("only-posts", { "if-match": `"${version}"` }),
      });
    expect([(await put(1)).status, (await put(1)).status, (await put(2)).status]).toEqual([204, 412, 204]);
  });
});
