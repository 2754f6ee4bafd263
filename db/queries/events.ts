import { arrayParameter } from "../array-parameter.ts";
import type { Conn, Tx } from "../client.ts";
import { joinedTexts, splitTexts } from "../joined-texts.ts";
import { opaque } from "../opaque.ts";

export interface NewEventRow {
  id: string;
  type: string;
  /** The JSON text around its sequence. */
  head: string;
  tail: string;
  contentHash: Buffer | null;
  /** Of a test: the endpoint that alone gets it. */
  onlyTo: string | null;
}

/**
 * Stores events in the order given and numbers them from the tenant's counter; gives the sequence of the first.
 * It locks the counter row until the commit, so it must be the last statement of the transaction: that makes the
 * sequence contiguous and equal to the order of commits (a reader cannot skip an event that commits late).
 * Throws 23505 when an id is already taken. A tenant without a counter fails in the database (22012), because COMMIT may
 * be on its way behind the statement.
 */
export async function insertEvents(
  tx: Tx,
  tenantId: string,
  { at, events }: { at: Date; events: readonly NewEventRow[] },
): Promise<bigint> {
  const [row] = await tx.query<{ base: string }>(
    `with counter as (
       update tenant_sequences set last = last + $2 where tenant_id = $1 returning last - $2 as base
     ), stored as (
       insert into events (tenant_id, id, sequence, type, body, content_hash, created_at, only_to)
       select $1, e.id, base + e.n, e.type, e.head || (base + e.n) || e.tail, e.hash, $9, e.only_to
         from counter, (select unnest(${opaque("$3", "uuid[]")}) as id, unnest(${opaque("$4", "text[]")}) as type,
                               unnest(${splitTexts("$5")}) as head, unnest(${splitTexts("$6")}) as tail,
                               unnest(${opaque("$7", "bytea[]")}) as hash, unnest(${opaque("$8", "uuid[]")}) as only_to,
                               generate_series(1, ${opaque("$2", "int")}) as n) e
     )
     select max(base) as base from counter having 1 / count(*) = 1`,
    [
      tenantId,
      events.length,
      arrayParameter(
        "uuid",
        events.map((event) => event.id),
      ),
      arrayParameter(
        "text",
        events.map((event) => event.type),
      ),
      joinedTexts(events.map((event) => event.head)),
      joinedTexts(events.map((event) => event.tail)),
      arrayParameter(
        "bytea",
        events.map((event) => event.contentHash),
      ),
      arrayParameter(
        "uuid",
        events.map((event) => event.onlyTo),
      ),
      at,
    ],
    "insert-events",
  );
  return BigInt(row?.base ?? 0) + 1n;
}

export interface EventRow extends Record<string, unknown> {
  id: string;
  sequence: string;
  type: string;
  body: string;
  contentHash: Buffer | null;
  createdAt: Date;
  /** When its data was expunged; `body` has none since. */
  expungedAt: Date | null;
}

const COLUMNS = `id, sequence, type, body, content_hash as "contentHash", created_at as "createdAt", expunged_at as "expungedAt"`;

/** The events that there are among `ids`. */
export function getEvents(conn: Conn, tenantId: string, ids: readonly string[]): Promise<EventRow[]> {
  return conn.query(`select ${COLUMNS} from events where tenant_id = $1 and id = any($2)`, [tenantId, ids]);
}

export interface FeedQuery {
  tenantId: string;
  /** Sequence after which to read; `null` from the oldest that is kept. */
  after: string | null;
  /** `null`: every type. */
  types: readonly string[] | null;
  limit: number;
  /** Sequences that are looked at, at most: what is asked for may be rare. */
  span: number;
  /** No further event is read once those before it have this size. */
  maxBytes: number;
}

export interface FeedRows {
  /** Oldest first. */
  events: { sequence: string; body: string }[];
  hasMore: boolean;
  /** Up to where everything that was asked for has been read. */
  through: string;
  /** The tenant's last sequence at the moment of the read, and the last one that retention has purged. */
  last: string;
  purged: string;
}

interface FeedRow extends Record<string, unknown> {
  last: string;
  purged: string;
  sequence: string | null;
  body: string;
  found: string;
}

/** The feed after a sequence. One statement, so that `last`, `purged` and the events are of the same moment. */
export async function readFeed(conn: Conn, feed: FeedQuery): Promise<FeedRows> {
  const rows = await conn.query<FeedRow>(
    `with counter as (
       select last, purged from tenant_sequences where tenant_id = $1
     ), page as (
       select sequence, body, sum(octet_length(body)) over (order by sequence) - octet_length(body) as before,
              count(*) over () as found
         from (select sequence, body from events
                where tenant_id = $1 and sequence > coalesce($2::bigint, (select purged from counter))
                  and sequence <= coalesce($2::bigint, (select purged from counter)) + $6
                  and ($3::text[] is null or type = any($3))
                order by sequence limit $4 + 1) as matching
     )
     select counter.last, counter.purged, page.sequence, page.body, page.found
       from counter left join page on page.before < $5 order by page.sequence`,
    [feed.tenantId, feed.after, feed.types, feed.limit, feed.maxBytes, feed.span],
    "read-feed",
  );
  const events = rows
    .flatMap(({ sequence, body }) => (sequence === null ? [] : [{ sequence, body }]))
    .slice(0, feed.limit);
  const [{ last, purged, found } = { last: "0", purged: "0", found: "0" }] = rows;
  const start = BigInt(feed.after ?? purged);
  const isCut = Number(found ?? 0) > events.length;
  const end = start + BigInt(feed.span);
  const all = end < BigInt(last) ? end : BigInt(last);
  const through = isCut ? BigInt(events.at(-1)?.sequence ?? start) : all > start ? all : start;
  return { events, hasMore: through < BigInt(last), through: String(through), last, purged };
}

/**
 * The last `count` events, newest first, but for tests, which are for one endpoint alone, and those whose data was
 * expunged. No further event is read once those before it have `maxBytes`.
 */
export function lastEvents(
  conn: Conn,
  last: { tenantId: string; count: number; maxBytes: number },
): Promise<Pick<EventRow, "id" | "type" | "body" | "createdAt">[]> {
  return conn.query(
    `select id, type, body, created_at as "createdAt"
       from (select id, sequence, type, body, created_at,
                    sum(octet_length(body)) over (order by sequence desc) - octet_length(body) as before
               from events
              where tenant_id = $1 and only_to is null and expunged_at is null
                and sequence > (select last from tenant_sequences where tenant_id = $1) - $2::int) as newest
      where before < $3 order by sequence desc`,
    [last.tenantId, last.count, last.maxBytes],
    "last-events",
  );
}

/** The last sequence of each of the tenants. */
export function listLastSequences(
  conn: Conn,
  tenantIds: readonly string[],
): Promise<{ tenantId: string; last: string }[]> {
  return conn.query(
    `select tenant_id as "tenantId", last from tenant_sequences where tenant_id = any($1)`,
    [tenantIds],
    "list-last-sequences",
  );
}
