import { uuidTimeMs } from "#contracts/ids.ts";
import { DAY_MS, type PartitionedTable, partitionName } from "../partitions.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a statement names of a partitioned table to find the rows of some ids. */
export interface Reach {
  /** The table, or the one partition that all of them are in. */
  table: string;
  /** That the id of row `d` is one of a partition that has to be opened. */
  condition: string;
  /** The UTC day of that partition, in milliseconds of its beginning; `null` for the table. */
  day: number | null;
}

/**
 * How to reach rows, of which there must be at least one, without planning for a month of partitions and opening it. Those
 * of yesterday and today, where nearly all of the work is, are in a partition that is known and stays: it is named itself.
 * Others are looked for between the least id and the greatest, both spelled out. New rows are not named by their range:
 * ids grow and statistics lag behind, so it was taken to hold one row or none, and an update of 500 was planned as a scan of
 * the range for each of them. What is made of this is planned for the size that the table has now, and prepared only where
 * nothing is left to plan: for look-ups by primary key in one partition.
 * Throws a TypeError for what is no id.
 */
export function reachOf(table: PartitionedTable, ids: readonly string[], now = Date.now()): Reach {
  const [least, greatest] = boundsOf(ids);
  const day = dayOf(least);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  if (day === dayOf(greatest) && (day === today || day === today - DAY_MS)) return reachOfDay(table, day);
  return { table, condition: `d.id between '${least}' and '${greatest}'`, day: null };
}

/** How to reach rows that are of one UTC day, whose partition there must be. */
export const reachOfDay = (table: PartitionedTable, day: number): Reach => ({
  table: partitionName(table, day),
  condition: "true",
  day,
});

/** The name under which a statement is prepared: where it is of one partition, and needs no planning anew; see `reachOf`. */
export const nameOf = (what: string, { table, day }: Reach): string | undefined =>
  day === null ? undefined : `${what}-${table}`;

/** The beginning of the UTC day that an id is of, in milliseconds. */
export const dayOf = (id: string) => Math.floor(uuidTimeMs(id) / DAY_MS) * DAY_MS;

function boundsOf(ids: readonly string[]): [least: string, greatest: string] {
  let [least = "", greatest = ""] = [ids[0], ids[0]];
  for (const id of ids) {
    if (id < least) least = id;
    else if (id > greatest) greatest = id;
  }
  for (const id of [least, greatest])
    if (!UUID.test(id)) throw new TypeError("An id is a UUID in lower case.");
  return [least, greatest];
}
