import type { InfiniteData } from "@tanstack/react-query";
import type { Delivery } from "#contracts/deliveries.ts";
import type { Page } from "#contracts/page.ts";

export type Pages = InfiniteData<Page<Delivery>>;

/** Whether a delivery changes without anybody doing something. */
export const isMoving = (delivery: Delivery): boolean =>
  delivery.status === "pending" || delivery.status === "in_flight";

export const rowsOf = (pages: Pages | undefined): Delivery[] =>
  pages?.pages.flatMap((page) => page.items) ?? [];

/** The same pages with the rows of `fresh` in the place of their older selves; untouched rows keep their identity. */
export function patchPages(pages: Pages, fresh: readonly Delivery[]): Pages {
  const byId = new Map(fresh.map((delivery) => [delivery.id, delivery]));
  const patchItem = (old: Delivery): Delivery => {
    const now = byId.get(old.id);
    return now && !isSame(old, now) ? now : old;
  };
  const patched = pages.pages.map((page) => {
    const items = page.items.map(patchItem);
    return items.some((item, index) => item !== page.items[index]) ? { ...page, items } : page;
  });
  return patched.some((page, index) => page !== pages.pages[index]) ? { ...pages, pages: patched } : pages;
}

function isSame(a: Delivery, b: Delivery): boolean {
  return (
    a.status === b.status &&
    a.attempts === b.attempts &&
    a.next_attempt_at === b.next_attempt_at &&
    a.failure_reason === b.failure_reason &&
    a.failure_class === b.failure_class &&
    a.delivered_at === b.delivered_at
  );
}

/** How many deliveries of a newest page the list does not have yet, since it was read. */
export function countNew(rows: readonly Delivery[], newest: readonly Delivery[]): number {
  const [top] = rows;
  if (!top) return newest.length;
  const known = new Set(rows.map((row) => row.id));
  return newest.filter((row) => !known.has(row.id) && row.created_at >= top.created_at).length;
}

/**
 * The rows to ask after one by one, at most `max`: those that may change before `nowMs + withinMs` and that a newest page
 * did not show. A row whose next attempt is hours away is left alone until then.
 */
export function dueRows(
  rows: readonly Delivery[],
  newest: readonly Delivery[],
  at: { nowMs: number; withinMs: number; max: number },
): Delivery[] {
  const shown = new Set(newest.map((row) => row.id));
  return rows
    .filter((row) => isMoving(row) && !shown.has(row.id) && mayChangeBy(row, at.nowMs + at.withinMs))
    .slice(0, at.max);
}

function mayChangeBy(row: Delivery, timeMs: number): boolean {
  return (
    row.status === "in_flight" || row.next_attempt_at === null || Date.parse(row.next_attempt_at) <= timeMs
  );
}
