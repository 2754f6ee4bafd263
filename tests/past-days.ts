import { uuidFloor } from "#contracts/ids.ts";
import { type Db, withTransaction } from "#db/client.ts";
import { DAY_MS, makePartition, PARTITIONED_TABLES } from "#db/partitions.ts";
import { listPartitionSizes } from "#db/queries/retention.ts";

/** The beginning of the day so many days ago, in milliseconds. */
export const daysAgo = (days: number) => (Math.floor(Date.now() / DAY_MS) - days) * DAY_MS;

/** Makes the partitions of past days that are missing; those of the last two days are there from the start. */
export async function makePastDays(db: Db, days: Iterable<number>): Promise<void> {
  for (const ago of days)
    await withTransaction(db, async (tx) => {
      const present = (await listPartitionSizes(tx)).filter(({ day }) => day === daysAgo(ago));
      for (const table of PARTITIONED_TABLES)
        if (!present.some((each) => each.table === table)) await makePartition(tx, table, daysAgo(ago));
    });
}

export interface PastEvent {
  tenantId: string;
  endpointId: string;
  /** How many days ago it was stored. */
  ago: number;
  /** Of its delivery; none has no delivery. */
  status?: string;
}

export interface PastRows {
  eventId: string;
  deliveryId: string;
  attemptId: string;
  sequence: string;
}

let made = 0;

/** Stores an event of a past day as publishing would have, with a delivery and an attempt unless `status` is left out. */
export async function storePast(db: Db, past: PastEvent): Promise<PastRows> {
  const { tenantId, endpointId, ago, status } = past;
  const at = daysAgo(ago) + 3_600_000 + ++made;
  const id = (kind: number) =>
    `${uuidFloor(at).slice(0, 13)}-7000-8000-${String(made * 10 + kind).padStart(12, "0")}`;
  const [eventId, deliveryId, attemptId] = [id(0), id(1), id(2)];
  const [row] = await db.query<{ sequence: string }>(
    `with counter as (update tenant_sequences set last = last + 1 where tenant_id = $1 returning last)
     insert into events (tenant_id, id, sequence, type, body, created_at)
     select $1, $2::text::uuid, last, 'Old', '{"id":"evt_' || $2::text || '","type":"Old","sequence":' || last || ',"data":{}}', $3 from counter
     returning sequence`,
    [tenantId, eventId, new Date(at)],
  );
  if (status !== undefined) {
    await db.query(
      `insert into deliveries (tenant_id, id, event_id, endpoint_id, event_type, status, attempts, job_id, created_at)
       values ($1, $2, $3, $4, 'Old', $5, 1, $2, $6)`,
      [tenantId, deliveryId, eventId, endpointId, status, new Date(at)],
    );
    await db.query(
      `insert into attempts (tenant_id, id, delivery_id, number, trigger, started_at, outcome, url, worker)
       values ($1, $2, $3, 1, 'schedule', $4, 'ok', 'https://example.com/', 1)`,
      [tenantId, attemptId, deliveryId, new Date(at)],
    );
  }
  return { eventId, deliveryId, attemptId, sequence: row?.sequence ?? "" };
}
