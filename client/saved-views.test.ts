import { expect, it } from "vitest";
import { NO_FILTERS } from "./delivery-filters.ts";
import { isSameFilters, PRESETS, parseViews, withView } from "./saved-views.ts";

it("reads back what it has stored, and nothing of what it cannot read", () => {
  expect(parseViews(JSON.stringify(PRESETS))).toEqual(PRESETS);
  for (const text of [undefined, "", "{", "7", '[{"name":"x","filters":{"status":["lost"]}}]'])
    expect(parseViews(text)).toEqual([]);
});

it("has one view of a name, and no more than thirty", () => {
  const view = (name: string) => ({ name, filters: NO_FILTERS });
  let views = [view("a")];
  views = withView(views, { name: "a", filters: { ...NO_FILTERS, q: "x" } });
  expect(views).toEqual([{ name: "a", filters: { ...NO_FILTERS, q: "x" } }]);
  for (let n = 0; n < 40; n++) views = withView(views, view(`v${n}`));
  expect(views).toHaveLength(30);
  expect(views.at(-1)?.name).toBe("v39");
});

it("tells whether filters are the same", () => {
  expect(isSameFilters(NO_FILTERS, { ...NO_FILTERS })).toBe(true);
  expect(isSameFilters(NO_FILTERS, { ...NO_FILTERS, status: ["failed"] })).toBe(false);
});
