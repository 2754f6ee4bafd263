import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApi } from "./test-support.ts";
import { calls } from "./testing/api-calls.ts";
import { addListItem } from "./testing/resources.ts";
import { noteKeyUse, type RightRequest, rightRequest, sendRight } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());

const ITEMS = 5;
const lists = calls.filter(({ isList }) => isList);
// The feed reads on and never back: its way back is a cursor that the reader has kept.
const [feeds, pages] = [true, false].map((isFeed) =>
  lists.filter(({ operation }) => (operation.id === "listEvents") === isFeed),
);

interface Page {
  items: unknown[];
  next_cursor: string | null;
  prev_cursor: string | null;
  has_more: boolean;
}

async function read(right: RightRequest, query: string): Promise<{ page: Page; link: string }> {
  const { status, json, text, headers } = await sendRight(right, { query: `?${query}` });
  expect(status, text).toBe(200);
  expect(Object.keys(json)).toEqual(["items", "next_cursor", "prev_cursor", "has_more"]);
  return { page: json, link: headers.get("link") ?? "" };
}

/** A list that is walked in pages of one size, from the beginning or from a cursor. */
async function walk(
  right: RightRequest,
  limit: number,
  way: "next_cursor" | "prev_cursor",
  start = "",
): Promise<Page[]> {
  const walked: Page[] = [];
  for (let after: string | null = start; after !== null; after = walked.at(-1)?.[way] ?? null) {
    const { page } = await read(right, `limit=${limit}${after && `&after=${after}`}`);
    if (page.items.length === 0) break;
    walked.push(page);
  }
  return walked;
}

const itemsOf = (walked: Page[]) => walked.flatMap(({ items }) => items);

describe.each(lists)("$name", (call) => {
  it("names its neighbouring pages in Link, with the query that they need", async () => {
    const right = await rightRequest(api, call);
    for (let item = 0; item < ITEMS; item++) await addListItem(right.shop, call.operation.path, right.params);
    const { page, link } = await read(right, "limit=2");
    expect(page.items).toHaveLength(2);
    expect(page.has_more).toBe(true);
    const target = /<\/api\/v1([^>]+)>; rel="next"/.exec(link)?.[1] ?? "";
    const query = target.split("?")[1] ?? "";
    expect(target.split("?")[0]).toBe(right.path);
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({ limit: "2", after: page.next_cursor });
    expect((await read(right, query)).page.items).toHaveLength(2);
  });

  it("takes a limit that is too high for the highest", async () => {
    const right = await rightRequest(api, call);
    for (const limit of ["101", "1000", "1001", "999999999"])
      expect((await read(right, `limit=${limit}`)).page.items).toBeInstanceOf(Array);
  });
});

describe.each(pages ?? [])("$name", (call) => {
  it.each([1, 2, 3])("shows every item once in pages of %i, forward and back", async (limit) => {
    const right = await rightRequest(api, call);
    // That of all tenants holds what the tests before have done.
    if (call.operation.path === "/audit-log") {
      await api.services.db.query("alter table audit_log disable trigger audit_log_append_only");
      await api.services.db.query("delete from audit_log");
      await api.services.db.query("alter table audit_log enable trigger audit_log_append_only");
    }
    for (let item = 0; item < ITEMS; item++) await addListItem(right.shop, call.operation.path, right.params);
    await noteKeyUse(right);
    const { page: whole } = await read(right, "limit=100");
    expect(whole.items.length).toBeGreaterThanOrEqual(ITEMS);
    expect([whole.has_more, whole.next_cursor, whole.prev_cursor]).toEqual([false, null, null]);
    const forward = await walk(right, limit, "next_cursor");
    expect(itemsOf(forward)).toEqual(itemsOf([whole]));
    expect(forward.map((page) => page.has_more)).toEqual(forward.map((_, at) => at < forward.length - 1));
    expect(forward.every(({ items }) => items.length <= limit)).toBe(true);

    const last = forward.at(-1);
    const back = await walk(right, limit, "prev_cursor", last?.prev_cursor ?? "");
    const all = [...back.toReversed(), ...(last ? [last] : [])];
    expect(itemsOf(all)).toEqual(itemsOf([whole]));
  });
});

describe.each(feeds ?? [])("$name", (call) => {
  it("always has a cursor to go on with, and shows everything once, in order", async () => {
    const right = await rightRequest(api, call);
    for (let item = 0; item < ITEMS; item++) await addListItem(right.shop, call.operation.path, right.params);
    const forward = await walk(right, 2, "next_cursor");
    const sequences = itemsOf(forward).map((item) => (item as { sequence: number }).sequence);
    expect(sequences).toEqual([1, 2, 3, 4, 5]);
    const end = await read(right, `after=${forward.at(-1)?.next_cursor}`);
    expect([end.page.items, end.page.has_more]).toEqual([[], false]);
    await addListItem(right.shop, call.operation.path, right.params);
    expect((await read(right, `after=${end.page.next_cursor}`)).page.items).toHaveLength(1);
  });
});
