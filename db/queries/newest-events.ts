import type { Conn } from "../client.ts";

export interface BackwardQuery {
  tenantId: string;
  /** Sequence before which to read; `null` from the newest. */
  before: string | null;
  /** Sequence before which nothing is asked for; `null`: down to the oldest that is kept. */
  floor: string | null;
  /** `null`: every type. */
  types: readonly string[] | null;
  /** Moments of publishing: from the first on, before the second. */
  from: Date | null;
  to: Date | null;
  limit: number;
  /** Sequences that are looked at, at most: what is asked for may be rare. */
  span: number;
  /** No further event is read once those before it have this size. */
  maxBytes: number;
}

export interface BackwardRows {
  /** Newest first. */
  events: { sequence: string; body: string }[];
  hasMore: boolean;
  /** Down to where, itself included, everything that was asked for has been read. */
  through: string;
}

interface BackwardRow extends Record<string, unknown> {
  top: string;
  bottom: string;
  sequence: string | null;
  body: string;
  found: string | null;
}

/** The feed before a sequence, newest first. */
export async function readBackward(conn: Conn, query: BackwardQuery): Promise<BackwardRows> {
  const rows = await conn.query<BackwardRow>(
    `with range as (
       select coalesce($2::bigint, last + 1) as top, greatest($3::bigint, purged + 1) as bottom
         from tenant_sequences where tenant_id = $1
     ), page as (
       select sequence, body, sum(octet_length(body)) over (order by sequence desc) - octet_length(body) as before,
              count(*) over () as found
         from (select sequence, body from events
                where tenant_id = $1 and sequence < (select top from range)
                  and sequence >= (select greatest(bottom, top - $9) from range)
                  and ($4::text[] is null or type = any($4))
                  and ($5::timestamptz is null or created_at >= $5)
                  and ($6::timestamptz is null or created_at < $6)
                order by sequence desc limit $7 + 1) as matching
     )
     select range.top, range.bottom, page.sequence, page.body, page.found
       from range left join page on page.before < $8 order by page.sequence desc`,
    [
      query.tenantId,
      query.before,
      query.floor,
      query.types,
      query.from,
      query.to,
      query.limit,
      query.maxBytes,
      query.span,
    ],
    "read-backward",
  );
  const events = rows
    .flatMap(({ sequence, body }) => (sequence === null ? [] : [{ sequence, body }]))
    .slice(0, query.limit);
  const [{ top, bottom, found } = { top: "1", bottom: "1", found: null }] = rows;
  const isCut = Number(found ?? 0) > events.length;
  const end = BigInt(top) - BigInt(query.span);
  const least = BigInt(bottom);
  const through = isCut ? BigInt(events.at(-1)?.sequence ?? top) : end > least ? end : least;
  return { events, hasMore: through > least, through: String(through) };
}

/**
 * About the first sequence of those published at a moment or later, found by halving: sequences have no gaps, and their
 * moments follow their order but for as long as a transaction takes.
 */
export async function sequenceAt(conn: Conn, tenantId: string, at: Date): Promise<string> {
  const [row] = await conn.query<{ low: string }>(
    `with recursive search as (
       select purged + 1 as low, last + 1 as high from tenant_sequences where tenant_id = $1
       union all
       select case when middle.created_at < $2 then (low + high) / 2 + 1 else low end,
              case when middle.created_at < $2 then high else (low + high) / 2 end
         from search left join lateral (
           select created_at from events
            where tenant_id = $1 and sequence >= (low + high) / 2 and sequence < high
            order by sequence limit 1) as middle on true
        where low < high
     )
     select low from search where low >= high limit 1`,
    [tenantId, at],
    "sequence-at",
  );
  return row?.low ?? "1";
}
