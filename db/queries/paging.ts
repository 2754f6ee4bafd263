/** One page of a list that is ordered by creation time, then id, both descending. */
export interface PageQuery {
  limit: number;
  /** Creation time, as `CREATED_POSITION` reads it, and id of the row from which to read on; `null` from the newest. */
  from: readonly string[] | null;
  /** Backward reads what is newer than `from`, nearest first. */
  backward: boolean;
}

/** Reads a row's creation time to the microsecond: a Date would lose digits, and a walk through the list its rows. */
export const CREATED_POSITION = `to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdPosition"`;

/**
 * The end of a query that reads a page and one row more, which tells whether another follows: condition, order and
 * limit. It takes the three parameters from number `first` on that `keysetValues` gives.
 */
export function keyset({ backward }: PageQuery, first: number, idType: "uuid" | "bigint" | "text"): string {
  const [comparison, direction] = backward ? [">", "asc"] : ["<", "desc"];
  const [at, id, rows] = [`$${first}::timestamptz`, `$${first + 1}::${idType}`, `$${first + 2}`];
  return `(${at} is null or (created_at, id) ${comparison} (${at}, ${id}))
    order by created_at ${direction}, id ${direction} limit ${rows}`;
}

/** The parameters of `keyset`. */
export function keysetValues({ from, limit }: PageQuery): unknown[] {
  return [from?.[0] ?? null, from?.[1] ?? null, limit + 1];
}
