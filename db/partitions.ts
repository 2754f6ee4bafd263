import { uuidFloor } from "#contracts/ids.ts";
import type { Conn, Tx } from "./client.ts";

const DAY_MS = 86_400_000;

/** The tables that are partitioned by day on their UUIDv7 id, with the storage parameters of a partition. */
const PARTITIONED: Record<string, string> = {
  events: "",
  deliveries: "with (fillfactor = 80)",
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
    for (const [table, storage] of Object.entries(PARTITIONED)) {
      const name = partitionName(table, day);
      if (present.has(name)) continue;
      // Attached, not made in place: CREATE TABLE … PARTITION OF waits for every transaction on the table, and all others
      // for it.
      await tx.query(`create table ${name} (like ${table} including all) ${storage}`);
      await tx.query(
        `alter table ${table} attach partition ${name} for values from ('${uuidFloor(day)}') to ('${uuidFloor(day + DAY_MS)}')`,
      );
    }
}

/**
 * Drops the events of one UTC day, which must be past, so that no client-made id leads there any more. The feed of each
 * tenant learns in the same transaction up to where it is purged: a reader from before that is told, and never passes a
 * gap over. `false`, and nothing happens, while a delivery of such an event is pending, or when the day has no partition.
 * Rejects with 55P03 when the table stays in use for two seconds.
 */
export async function dropEventPartition(tx: Tx, day: Date): Promise<boolean> {
  const from = Math.floor(day.getTime() / DAY_MS) * DAY_MS;
  const name = partitionName("events", from);
  if (!(await listPartitions(tx)).has(name)) return false;
  const [pending] = await tx.query(
    "select 1 from deliveries where status = 'pending' and event_id >= $1 and event_id < $2 limit 1",
    [uuidFloor(from), uuidFloor(from + DAY_MS)],
  );
  if (pending) return false;
  // Read ahead of the locks: nothing is stored there any more.
  const ends = await tx.query<{ tenantId: string; last: string }>(
    `select tenant_id as "tenantId", max(sequence) as last from ${name} group by tenant_id`,
  );
  await tx.query("set local lock_timeout = '2s'");
  await tx.query(`alter table events detach partition ${name}`);
  await tx.query(
    `update tenant_sequences as counter set purged = ended.last
       from unnest($1::uuid[], $2::bigint[]) as ended (tenant_id, last)
      where counter.tenant_id = ended.tenant_id and counter.purged < ended.last`,
    [ends.map(({ tenantId }) => tenantId), ends.map(({ last }) => last)],
  );
  await tx.query(`drop table ${name}`);
  return true;
}

/** For how many days after that of `now` every table has its partition; -1 when the one of that day itself is missing. */
export async function partitionDaysAhead(conn: Conn, now: Date): Promise<number> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const present = await listPartitions(conn);
  const isWhole = (day: number) =>
    Object.keys(PARTITIONED).every((table) => present.has(partitionName(table, day)));
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
    [Object.keys(PARTITIONED)],
  );
  return new Set(rows.map((row) => row.name));
}

function partitionName(table: string, dayMs: number): string {
  return `${table}_${new Date(dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`;
}
