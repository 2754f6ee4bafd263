import { uuidFloor } from "#contracts/ids.ts";
import type { Conn, Tx } from "./client.ts";

export const DAY_MS = 86_400_000;

/** The tables that are partitioned by day on their UUIDv7 id. A row of each refers to one of the table before it. */
export const PARTITIONED_TABLES = ["events", "deliveries", "attempts"] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

/** The storage parameters of a partition. A try writes the row of its delivery anew, in place where its page has room. */
const STORAGE: Record<PartitionedTable, string> = {
  events: "",
  deliveries: "with (fillfactor = 45)",
  attempts: "",
};

/** Two days back covers ids made by clients (their time may lie 24 h back), a week ahead covers a stalled maintainer. */
const DAYS_BACK = 2;
export const DAYS_AHEAD = 7;

/**
 * Makes the partitions from two days before `now` to a week ahead; those that exist are left alone.
 * Safe to run at once from several processes, and beside whatever reads and writes the tables.
 */
export async function ensurePartitions(tx: Tx, now: Date): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('posthorn.partitions'))");
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const present = await listPartitions(tx);
  for (let day = today - DAYS_BACK * DAY_MS; day <= today + DAYS_AHEAD * DAY_MS; day += DAY_MS)
    for (const table of PARTITIONED_TABLES)
      if (!present.has(partitionName(table, day))) await makePartition(tx, table, day);
}

/** Makes the partition of a UTC day, in milliseconds of its beginning. */
export async function makePartition(tx: Tx, table: PartitionedTable, day: number): Promise<void> {
  const name = partitionName(table, day);
  // Attached, not made in place: CREATE TABLE … PARTITION OF waits for every transaction on the table, and all others
  // for it.
  await tx.query(`create table ${name} (like ${table} including all) ${STORAGE[table]}`);
  await tx.query(
    `alter table ${table} attach partition ${name} for values from ('${uuidFloor(day)}') to ('${uuidFloor(day + DAY_MS)}')`,
  );
}

/** For how many days after that of `now` every table has its partition; -1 when the one of that day itself is missing. */
export async function partitionDaysAhead(conn: Conn, now: Date): Promise<number> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const present = await listPartitions(conn);
  const isWhole = (day: number) =>
    PARTITIONED_TABLES.every((table) => present.has(partitionName(table, day)));
  let days = -1;
  while (isWhole(today + (days + 1) * DAY_MS)) days += 1;
  return days;
}

/** The names of all partitions there are. */
export async function listPartitions(conn: Conn): Promise<Set<string>> {
  const rows = await conn.query<{ name: string }>(
    `select child.relname as name from pg_inherits
       join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
      where parent.relnamespace = current_schema()::regnamespace and parent.relname = any($1)`,
    [PARTITIONED_TABLES],
  );
  return new Set(rows.map((row) => row.name));
}

/** The beginning of the UTC day that a partition is of, by its name, in milliseconds. */
export function partitionDay(name: string): number {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/** The name of the partition of a UTC day, in milliseconds of its beginning. */
export function partitionName(table: PartitionedTable, dayMs: number): string {
  return `${table}_${new Date(dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`;
}
