import { uuidFloor } from "#contracts/ids.ts";
import type { Conn, Tx } from "../client.ts";
import { DAY_MS, PARTITIONED_TABLES, type PartitionedTable, partitionDay } from "../partitions.ts";

/** One partition of the three tables. */
export interface Partition {
  table: PartitionedTable;
  /** Its name as a table: letters, digits and _ only. */
  name: string;
  /** The beginning of its UTC day in milliseconds. */
  day: number;
  /** With its indexes and what is stored aside. */
  bytes: number;
}

/** All partitions: events before deliveries before attempts, the oldest first. */
export async function listPartitionSizes(conn: Conn): Promise<Partition[]> {
  const rows = await conn.query<{ table: PartitionedTable; name: string; bytes: string }>(
    `select parent.relname as table, child.relname as name, pg_total_relation_size(child.oid) as bytes
       from pg_inherits join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
      where parent.relnamespace = current_schema()::regnamespace and parent.relname = any($1)
      order by array_position($1::text[], parent.relname::text), child.relname`,
    [PARTITIONED_TABLES],
  );
  return rows.map((row) => ({ ...row, day: partitionDay(row.name), bytes: Number(row.bytes) }));
}

/** The tenants that have rows in a partition. It costs one look-up for each of them, however many rows they have. */
export async function tenantsIn(conn: Conn, { name }: Pick<Partition, "name">): Promise<string[]> {
  const rows = await conn.query<{ tenantId: string }>(
    `with recursive present as (
       (select tenant_id from ${name} order by tenant_id limit 1)
       union all
       select (select p.tenant_id from ${name} p where p.tenant_id > present.tenant_id order by p.tenant_id limit 1)
         from present where present.tenant_id is not null
     ) select tenant_id as "tenantId" from present where tenant_id is not null`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

// Something is still to be done for it, or is just being done: a request that is under way outlives its cancellation.
const isOpen = (d: string) =>
  `(${d}.status = 'pending' or ${d}.job_id in (select job_id from claims where tenant_id = $1))`;

/** Which rows of a tenant may go. Each stays for what refers to it, or would be taken for missing without it. */
const MAY_GO: Record<PartitionedTable, string> = {
  events: `not exists (select 1 from deliveries d where d.tenant_id = r.tenant_id and d.event_id = r.id and ${isOpen("d")})`,
  deliveries: `not ${isOpen("r")}
    and not exists (select 1 from events e where e.tenant_id = r.tenant_id and e.id = r.event_id)`,
  attempts:
    "not exists (select 1 from deliveries d where d.tenant_id = r.tenant_id and d.id = r.delivery_id)",
};

/** A part of a tenant's rows in a partition, looked through. */
export interface Trimmed {
  removed: number;
  /** The last id that was looked at; `null` when none were left. */
  last: string | null;
}

/**
 * Looks at the next `limit` rows of a tenant in a partition, in the order of their ids, and deletes those that may go. The
 * tenant's feed learns in the same transaction up to where it is purged.
 */
export async function trimPartition(
  tx: Tx,
  { name, table }: Partition,
  of: { tenantId: string; after: string; limit: number },
): Promise<Trimmed> {
  const sequence = table === "events" ? "sequence" : "null::bigint";
  const [row] = await tx.query<Trimmed & Record<string, unknown> & { purged: string | null }>(
    `with looked as materialized (
       select id from ${name} where tenant_id = $1 and id > $2 order by id limit $3
     ), gone as (
       delete from ${name} r where r.tenant_id = $1 and r.id = any(array(select id from looked)) and ${MAY_GO[table]}
       returning ${sequence} as sequence
     )
     select (select count(*)::int from gone) as removed, (select max(sequence) from gone) as purged,
            (select id from looked order by id desc limit 1) as last`,
    [of.tenantId, of.after, of.limit],
  );
  if (row && row.purged !== null) await advancePurged(tx, [{ tenantId: of.tenantId, last: row.purged }]);
  return { removed: row?.removed ?? 0, last: row?.last ?? null };
}

/**
 * Whether a partition holds anything that must stay although it is past its retention: what `trimPartition` would leave of
 * the tenants in it. It is looked for from the side of what is left, which is little.
 */
export async function holdsOpen(
  conn: Conn,
  { table, name, day }: Partition,
  tenantIds: readonly string[],
): Promise<boolean> {
  const [from, to] = [uuidFloor(day), uuidFloor(day + DAY_MS)];
  // An event's id may be a day ahead of its delivery's, and two processes' clocks a little apart.
  const before = uuidFloor(day + 2 * DAY_MS);
  // Pending, or cancelled while its request is under way. Not every claim lists its deliveries.
  const open = `(u.status = 'pending' or u.status = 'cancelled' and exists (
    select 1 from deliveries d where d.tenant_id = u.tenant_id and d.id = u.id and d.job_id in (select job_id from claims)))`;
  const [texts, values] = {
    events: [
      [`select 1 from undelivered u where u.id >= $3 and u.event_id >= $1 and u.event_id < $2 and ${open}`],
      [from, to, uuidFloor(day - DAY_MS)],
    ],
    deliveries: [
      [
        `select 1 from undelivered u where u.id >= $3 and u.id < $4 and ${open}`,
        `select 1 from events e join ${name} d on d.tenant_id = e.tenant_id and d.event_id = e.id
          where e.tenant_id = any($1) and e.id < $2`,
      ],
      [tenantIds, before, from, to],
    ],
    attempts: [
      [
        `select 1 from deliveries d join ${name} a on a.tenant_id = d.tenant_id and a.delivery_id = d.id
          where d.tenant_id = any($1) and d.id < $2`,
      ],
      [tenantIds, before],
    ],
  }[table] as [string[], unknown[]];
  const [row] = await conn.query(
    `select 1 from (${texts.map((text) => `(${text} limit 1)`).join(" union all ")}) as found limit 1`,
    values,
  );
  return row !== undefined;
}

// Above it PostgreSQL would look for deadlocks, and end one of those that are in it. Those who wait for us wait no longer.
const LOCK_MS = 100;

/**
 * Drops a partition that holds nothing which must stay. The feed of each tenant learns in the same transaction up to where
 * it is purged: a reader from before that is told, and never passes a gap over. Others wait for it for a tenth of a second
 * at most; rejects with 55P03 when the table stays in use for longer. It must be the last thing `tx` does.
 */
export async function dropPartition(
  tx: Tx,
  { table, name, day }: Partition,
  tenantIds: readonly string[],
): Promise<void> {
  if (table === "deliveries") await forgetUndelivered(tx, day, tenantIds);
  // Nothing is stored there any more, so this is read ahead of the locks.
  const ends = table === "events" ? await lastSequences(tx, name, tenantIds) : [];
  // In nobody's way but that of a vacuum, which gives way after a second or is waited for.
  await tx.query("set local lock_timeout = '3s'");
  await tx.query(`lock table ${name} in share update exclusive mode`);
  await tx.query(`set local lock_timeout = ${LOCK_MS}`);
  await tx.query(`alter table ${table} detach partition ${name}`);
  if (ends.length > 0) await advancePurged(tx, ends);
  await tx.query(`drop table ${name}`);
}

/** Rows that go with their partition have no trigger that removes them from beside it. */
async function forgetUndelivered(tx: Tx, day: number, tenantIds: readonly string[]): Promise<void> {
  await tx.query(
    `delete from undelivered
      where tenant_id = any($1) and status = any('{failed,cancelled,dismissed}') and id >= $2 and id < $3`,
    [tenantIds, uuidFloor(day), uuidFloor(day + DAY_MS)],
  );
}

function lastSequences(conn: Conn, name: string, tenantIds: readonly string[]) {
  return conn.query<{ tenantId: string; last: string }>(
    `select tenant_id as "tenantId", last from unnest($1::uuid[]) as t (tenant_id),
            lateral (select sequence as last from ${name} e where e.tenant_id = t.tenant_id order by sequence desc limit 1) e`,
    [tenantIds],
  );
}

/** Tells the feeds up to which sequence they are purged. Never back. */
async function advancePurged(tx: Tx, ends: readonly { tenantId: string; last: string }[]): Promise<void> {
  await tx.query(
    `update tenant_sequences as counter set purged = ended.last
       from unnest($1::uuid[], $2::bigint[]) as ended (tenant_id, last)
      where counter.tenant_id = ended.tenant_id and counter.purged < ended.last`,
    [ends.map(({ tenantId }) => tenantId), ends.map(({ last }) => last)],
  );
}

/**
 * Cancels up to `limit` deliveries of past days whose event is gone: nothing could be sent for them. A worker that was
 * frozen may have left one, whose result came after its delivery had been removed. Gives how many there were.
 */
export async function cancelOrphans(tx: Tx, before: Date, limit: number): Promise<number> {
  const rows = await tx.query(
    `update deliveries o set status = 'cancelled', next_attempt_at = null
       from (select tenant_id, id from undelivered u
              where status = 'pending' and id < $1
                and not exists (select 1 from events e where e.tenant_id = u.tenant_id and e.id = u.event_id)
              limit $2) d
      where o.tenant_id = d.tenant_id and o.id = d.id and o.status = 'pending' returning o.id`,
    [uuidFloor(before.getTime()), limit],
  );
  return rows.length;
}
