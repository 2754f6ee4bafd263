/** What a use case needs to know to read one page of a list. */
export interface PageRequest {
  limit: number;
  /** The sort key, as text, of the item from which to read on; `null` from the beginning. */
  from: readonly string[] | null;
  /** Backward reads what comes before `from`. */
  backward: boolean;
}

export interface PageSlice<T> {
  /** In the order of the list, whichever way it was read. */
  items: T[];
  /** Whether more follows in the direction that was read. */
  hasMore: boolean;
  /** The items after which, and before which, a neighbouring page starts; `undefined` when there is none. */
  next: T | undefined;
  prev: T | undefined;
}

/**
 * Cuts a page from up to `limit + 1` rows that were read away from `from`. A cursor marks a position and is no snapshot:
 * a page that was reached by a cursor has a way back, whatever has become of the rows there.
 */
export function cutPage<T>(rows: readonly T[], { limit, from, backward }: PageRequest): PageSlice<T> {
  const hasMore = rows.length > limit;
  const items = rows.slice(0, limit);
  if (backward) items.reverse();
  const last = items.at(-1);
  const first = items[0];
  if (backward) return { items, hasMore, next: last, prev: hasMore ? first : undefined };
  return { items, hasMore, next: hasMore ? last : undefined, prev: from === null ? undefined : first };
}
