import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";

const TOTAL = 11;
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  // Several within one microsecond: their ids decide on the order.
  const ids = Array.from({ length: TOTAL + 1 }, () => uuidv7());
  await api.services.db.query(
    `insert into carts (tenant_id, id, owner, status, currency, created_at, updated_at, deleted_at)
     select $1, id, 'o' || n % 2, (array['open', 'checked_out', 'abandoned'])[1 + n % 3], 'EUR', at, at,
            case when n = $3 then at end
       from unnest($2::uuid[]) with ordinality as given (id, n),
            lateral (select timestamptz '2026-01-01' + (n / 4) * interval '1 microsecond' as at) t`,
    [api.tenant.id, ids, TOTAL + 1],
  );
});
afterAll(() => api.close());

interface CartPage {
  items: { cartId: string; owner: string; status: string }[];
  next_cursor: string | null;
  prev_cursor: string | null;
  has_more: boolean;
}
const read = async (query: string): Promise<CartPage> => (await api.call("GET", `/carts${query}`)).json;
const ids = (pages: CartPage[]) => pages.flatMap(({ items }) => items.map(({ cartId }) => cartId));

/** Follows one kind of cursor from a page to the end. */
async function walk(
  query: string,
  first: CartPage,
  cursor: "next_cursor" | "prev_cursor",
): Promise<CartPage[]> {
  const pages = [first];
  for (let after = first[cursor]; after; after = pages.at(-1)?.[cursor] ?? null)
    pages.push(await read(`${query}&after=${after}`));
  return pages;
}

describe("GET /carts", () => {
  it.each([1, 3, 11])(
    "gives every cart that is there once, newest first, in pages of %i, forward and back",
    async (limit) => {
      const query = `?limit=${limit}`;
      const all = ids([await read("?limit=100")]);
      expect(all).toEqual([...all].sort().reverse());
      expect(all).toHaveLength(TOTAL);
      const pages = await walk(query, await read(query), "next_cursor");
      expect(ids(pages)).toEqual(all);
      const last = pages.at(-1);
      const back = last ? await walk(query, last, "prev_cursor") : [];
      expect(ids(back.reverse())).toEqual(all);
      expect(back.every(({ items }) => items.length > 0)).toBe(true);
    },
  );

  it("takes owner and status as filters, alone and together", async () => {
    const kinds = async (query: string) => {
      const { items } = await read(query);
      return [items.length, [...new Set(items.map(({ owner, status }) => `${owner} ${status}`))].sort()];
    };
    expect(await kinds("?owner=o1")).toEqual([6, ["o1 abandoned", "o1 checked_out", "o1 open"]]);
    expect(await kinds("?status=open")).toEqual([3, ["o0 open", "o1 open"]]);
    expect(await kinds("?owner=o1&status=open")).toEqual([2, ["o1 open"]]);
    expect(await kinds("?owner=nobody")).toEqual([0, []]);
  });

  it.each([
    "?status=closed",
    "?owner=",
    "?owner=a&owner=b",
    "?sku=tea",
    "?limit=0",
    `?owner=${"x".repeat(256)}`,
  ])("refuses %.20s", async (query) => {
    const answer = await api.call("GET", `/carts${query}`);
    expect([answer.status, answer.json.type]).toEqual([400, expect.stringMatching(/\/invalid-parameter$/)]);
  });

  it("takes a cursor with the query that made it and no other", async () => {
    const { next_cursor } = await read("?limit=2&owner=o1");
    expect((await read(`?limit=2&owner=o1&after=${next_cursor}`)).items).toHaveLength(2);
    for (const query of ["?limit=2", "?limit=2&owner=o0", "?limit=2&owner=o1&status=open"]) {
      const answer = await api.call("GET", `/carts${query}&after=${next_cursor}`);
      expect([answer.status, answer.json.type]).toEqual([400, expect.stringMatching(/\/invalid-cursor$/)]);
    }
    const orders = await api.call("GET", `/orders?limit=2&after=${next_cursor}`);
    expect(orders.status).toBe(400);
  });

  it("shows each tenant its own", async () => {
    const { key } = await api.addTenant();
    expect((await api.call("GET", "/carts", { key })).json.items).toEqual([]);
  });

  it("needs the scope carts:read, and changes carts:write", async () => {
    const reader = await api.addKey(api.tenant.id, ["carts:read"]);
    const writer = await api.addKey(api.tenant.id, ["carts:write"]);
    const body = { json: { owner: "o" }, headers: { "idempotency-key": "scope" } };
    expect((await api.call("GET", "/carts", { key: reader })).status).toBe(200);
    expect((await api.call("GET", "/carts", { key: writer })).status).toBe(403);
    expect((await api.call("POST", "/carts", { key: reader, ...body })).status).toBe(403);
    expect((await api.call("POST", "/carts", { key: writer, ...body })).status).toBe(201);
  });
});
