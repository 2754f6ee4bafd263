import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { openTestApi, type TestApi, type TestTenant } from "./test-support.ts";

const TOTAL = 23;
let api: TestApi;
let now = new Date();
beforeAll(async () => {
  api = await openTestApi({ now: () => now });
  // Within one millisecond, and some within one microsecond: a position that loses digits would skip or repeat rows.
  await api.services.db.query(
    `insert into orders (tenant_id, customer_id, total, currency, status, created_at, updated_at)
     select $1, 'c' || n % 2, n, 'EUR', case when n % 3 = 0 then 'paid' else 'awaiting-payment' end, at, at
       from generate_series(1, $2::int) n, lateral (select timestamptz '2026-01-01' + (n / 4) * interval '1 microsecond' as at) t`,
    [api.tenant.id, TOTAL],
  );
});
afterAll(() => api.close());

interface OrderPage {
  items: { id: number; Total: number }[];
  next_cursor: string | null;
  prev_cursor: string | null;
  has_more: boolean;
}
const list = (query = "", tenant: TestTenant = api.tenant) =>
  api.call("GET", `/orders${query}`, { key: tenant.key });
const totals = (page: OrderPage) => page.items.map((order) => order.Total);
const newestFirst = Array.from({ length: TOTAL }, (_, at) => TOTAL - at);

describe("a list", () => {
  it.each([1, 2, 3, 5, 22, 23, 100])(
    "gives every item once in pages of %i, forward and back",
    async (limit) => {
      const pages: OrderPage[] = [];
      for (let after: string | null = ""; after !== null; after = pages.at(-1)?.next_cursor ?? null) {
        const answer = await list(`?limit=${limit}${after && `&after=${after}`}`);
        pages.push(answer.json);
      }
      expect(pages.flatMap(totals)).toEqual(newestFirst);
      expect(pages[0]?.prev_cursor).toBeNull();
      expect(pages.map((page) => page.has_more)).toEqual(pages.map((_, at) => at < pages.length - 1));

      const back: OrderPage[] = pages.slice(-1);
      for (let before = back[0]?.prev_cursor; before; before = back[0]?.prev_cursor) {
        const answer = await list(`?limit=${limit}&after=${before}`);
        if (answer.json.items.length === 0) break;
        back.unshift(answer.json);
      }
      expect(back.flatMap(totals)).toEqual(newestFirst);
    },
  );

  it("shows fifty items by default and a hundred at most", async () => {
    const tenant = await api.addTenant();
    await api.services.db.query(
      "insert into orders (tenant_id, customer_id, total, currency) select $1, 'c', 1, 'EUR' from generate_series(1, 120)",
      [tenant.id],
    );
    expect((await list("", tenant)).json.items).toHaveLength(50);
    expect((await list("?limit=1000", tenant)).json.items).toHaveLength(100);
  });

  it("filters, and names the neighbouring pages in Link with the filters", async () => {
    const { json, headers } = await list("?status=paid&CustomerId=c1&limit=2");
    expect(totals(json)).toEqual([21, 15]);
    const next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    const second = await api.call("GET", String(next).replace("/api/v1", ""));
    expect(totals(second.json)).toEqual([9, 3]);
    expect(second.headers.get("link")).toContain('rel="prev"');
    expect(second.headers.get("link")).not.toContain('rel="next"');
  });

  it.each(["status=lost", "CustomerId=", "status=paid&status=paid", "colour=red"])(
    "refuses ?%s",
    async (query) => {
      const answer = await list(`?${query}`);
      expect([answer.status, answer.json.type]).toEqual([
        400,
        `${api.server.origin}/problems/invalid-parameter`,
      ]);
    },
  );

  it("may change its page size from page to page", async () => {
    const { json } = await list("?limit=2");
    expect(totals((await list(`?limit=4&after=${json.next_cursor}`)).json)).toEqual([21, 20, 19, 18]);
  });
});

describe("a cursor of a list", () => {
  it("is refused in the same words for another filter, list, key or tenant, changed, or expired", async () => {
    const cursor = (await list("?limit=2")).json.next_cursor as string;
    const colleague = await api.addKey(api.tenant.id);
    const stranger = await api.addTenant();
    const changed = cursor.slice(0, 10) + (cursor[10] === "A" ? "B" : "A") + cursor.slice(11);
    const answers = [
      await list(`?after=${cursor}&status=paid`),
      await list(`?after=${changed}`),
      await list(`?after=${encodeURIComponent(`${cursor} `)}`),
      await api.call("GET", `/webhook-endpoints?after=${cursor}`),
      await api.call("GET", `/events?after=${cursor}`),
      await list(`?after=${cursor}`, { ...api.tenant, key: colleague }),
      await list(`?after=${cursor}`, stranger),
    ];
    const start = now;
    now = new Date(start.getTime() + 72 * 3_600_000);
    answers.push(await list(`?after=${cursor}`));
    now = start;
    const words = answers.map(({ status, json }) => JSON.stringify({ status, ...json, instance: "" }));
    expect(new Set(words).size).toBe(1);
    expect(JSON.parse(words[0] ?? "")).toMatchObject({
      status: 400,
      type: `${api.server.origin}/problems/invalid-cursor`,
    });
    expect((await list(`?after=${cursor}`)).status).toBe(200);
  });
});

it("ends the work on a page after two seconds with 503 and Retry-After", async () => {
  const answer = await withTransaction(api.services.db, async (tx) => {
    await tx.query("lock table orders in access exclusive mode");
    return list();
  });
  expect([answer.status, answer.json.type]).toEqual([503, `${api.server.origin}/problems/timeout`]);
  expect(answer.headers.get("retry-after")).toBe("2");
});
