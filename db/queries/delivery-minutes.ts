import type { Conn, Tx } from "../client.ts";

const MINUTE_MS = 60_000;

/** What is to be known of a delivery that is stored. */
interface Stored {
  eventType: string;
  /** The time in its id. */
  createdAt: Date;
}

/** A minute of a type, in minutes since the epoch. */
export interface TypeMinute {
  eventType: string;
  minute: number;
}

/** More than so many types of all tenants are not remembered: those beyond are written with each transaction. */
const MAX_KNOWN = 50_000;

/** The types, by tenant, whose row of one minute is committed. */
interface Known {
  minute: number;
  count: number;
  types: Map<string, Set<string>>;
}

const known = new WeakMap<object, Known>();

/**
 * Those minutes of new deliveries that are not known to have their row. It must be written before `tx` commits; from
 * then on it is known, for as long as the minute lasts, and asked for no more.
 */
export function unknownMinutes(tx: Tx, tenantId: string, rows: readonly Stored[]): TypeMinute[] {
  const here = known.get(tx.era);
  const types = here?.types.get(tenantId);
  const unknown = new Map<string, TypeMinute>();
  for (const { eventType, createdAt } of rows) {
    const minute = minuteOf(createdAt.getTime());
    if (here?.minute === minute && types?.has(eventType)) continue;
    unknown.set(`${minute} ${eventType}`, { eventType, minute });
  }
  if (unknown.size === 0) return [];
  const found = [...unknown.values()];
  tx.afterCommit(() => {
    for (const each of found) remember(tx.era, tenantId, each);
  });
  return found;
}

function remember(era: object, tenantId: string, { eventType, minute }: TypeMinute): void {
  let here = known.get(era);
  if (here?.minute !== minute) {
    here = { minute, count: 0, types: new Map() };
    known.set(era, here);
  }
  if (here.count >= MAX_KNOWN) return;
  const types = here.types.get(tenantId) ?? new Set();
  here.types.set(tenantId, types.add(eventType));
  here.count++;
}

/** The smallest id of a minute, given as SQL. A UUID may be written without its dashes. */
const floorOf = (minute: string) => `rpad(lpad(to_hex((${minute}) * 60000::bigint), 12, '0'), 32, '0')::uuid`;

/** A condition that an id lies within a minute; both are SQL. */
export const idWithin = (id: string, minute: string): string =>
  `${id} >= ${floorOf(minute)} and ${id} < ${floorOf(`${minute} + 1`)}`;

/** The minute of a time, since the epoch. */
export const minuteOf = (timeMs: number): number => Math.floor(timeMs / MINUTE_MS);

/**
 * Deletes up to `limit` rows of minutes that have passed the retention of their tenant and have no delivery any more;
 * gives how many. `days` is the retention of tenants that have none of their own, `today` the beginning of a day, and
 * deliveries stay for `lagDays` longer.
 */
export async function deleteDeliveryMinutes(
  conn: Conn,
  of: { today: Date; days: number; lagDays: number; limit: number },
): Promise<number> {
  // The first condition is for the index. A look at the deliveries of a minute, never a join with all of them.
  const rows = await conn.query(
    `delete from delivery_minutes where ctid = any(array(
       select m.ctid from delivery_minutes m join tenants t on t.id = m.tenant_id
        where m.minute < $1 - least($2, (select min(retention_days) from tenants)) * 1440
          and m.minute < $1 - coalesce(t.retention_days, $2) * 1440
          and (select d.id from deliveries d
                where d.tenant_id = m.tenant_id and d.event_type = m.event_type and ${idWithin("d.id", "m.minute")}
                limit 1) is null
        limit $3))
     returning 1`,
    [minuteOf(of.today.getTime()) - (of.lagDays - 1) * 1440, of.days, of.limit],
  );
  return rows.length;
}
