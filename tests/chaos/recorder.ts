import { type Db, withTransaction } from "#db/client.ts";
import type { DeliveryEnd, LoggedTry, Reopening, StoredEvent } from "./evidence.ts";

/** Has the database itself note every delivery that is written again after it has ended. */
export async function recordReopenings(db: Db): Promise<void> {
  await db.query(`
    create table chaos_reopenings (delivery_id uuid, was text, became text);
    create function chaos_reopened() returns trigger language plpgsql as $$ begin
      insert into chaos_reopenings values (new.id, old.status, new.status);
      return null;
    end $$;
    create trigger chaos_reopened after update of status, attempts, delivered_at on deliveries for each row
      when (old.status <> 'pending' and (old.status, old.attempts, old.delivered_at)
              is distinct from (new.status, new.attempts, new.delivered_at))
      execute function chaos_reopened()`);
}

export interface DatabaseEvidence {
  stored: StoredEvent[];
  deliveries: DeliveryEnd[];
  tries: LoggedTry[];
  reopenings: Reopening[];
}

/** What the database knows of a run, all of it at one moment. */
export function readDatabase(db: Db): Promise<DatabaseEvidence> {
  return withTransaction(db, async (tx) => {
    await tx.query("set transaction isolation level repeatable read");
    const stored = await tx.query<StoredEvent & Record<string, unknown>>(
      `select tenant_id as "tenantId", id, sequence::int, type, body from events order by tenant_id, sequence`,
    );
    const deliveries = await tx.query<DeliveryEnd & Record<string, unknown>>(
      `select tenant_id as "tenantId", id, event_id as "eventId", endpoint_id as "endpointId", status, attempts,
              failure_class as "failureClass", failure_reason as "failureReason",
              (extract(epoch from created_at) * 1000)::float8 as "createdAt" from deliveries`,
    );
    const tries = await tx.query<LoggedTry & Record<string, unknown>>(
      `select delivery_id as "deliveryId", number, outcome, (extract(epoch from started_at) * 1000)::float8 as "startedAt",
              (extract(epoch from next_attempt_at) * 1000)::float8 as "nextAttemptAt" from attempts`,
    );
    const reopenings = await tx.query<Reopening & Record<string, unknown>>(
      `select delivery_id as "deliveryId", was, became from chaos_reopenings`,
    );
    return { stored, deliveries, tries, reopenings };
  });
}

/** How far everything has come round. */
export interface Progress {
  /** Deliveries that wait. */
  pending: number;
  /** The last sequence of each tenant that has any. */
  last: Map<string, number>;
  /** Rows that only work under way has. */
  left: Record<string, number>;
}

export async function readProgress(db: Db): Promise<Progress> {
  const [row] = await db.query<{ count: number }>(
    "select count(*)::int as count from deliveries where status = 'pending'",
  );
  const sequences = await db.query<{ id: string; last: number }>(
    "select tenant_id as id, max(sequence)::int as last from events group by tenant_id",
  );
  const [left] = await db.query<Record<string, number>>(
    `select (select count(*)::int from claims) as claims,
            (select count(*)::int from pgboss.job where name like 'deliver%') as jobs,
            (select count(*)::int from (select tenant_id, id, status, next_attempt_at from deliveries where status <> 'delivered') d
               full join undelivered u using (tenant_id, id, status) where d.id is null or u.id is null
                  or d.next_attempt_at is distinct from u.next_attempt_at) as "deliveries that undelivered does not tell true",
            (select count(*)::int from ordered_deliveries) as "places in queues",
            (select count(*)::int from ordered_endpoints) as "queues of ordered endpoints"`,
  );
  const last = new Map(sequences.map(({ id, last }) => [id, last]));
  return { pending: row?.count ?? 0, last, left: left ?? {} };
}
