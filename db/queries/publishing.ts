import type { Conn } from "../client.ts";
import type { SubscriberRow } from "./endpoints.ts";

/** What a publishing transaction has to know of its tenant. */
export interface Publishing {
  /** As `listSubscribers` gives them. */
  subscribers: SubscriberRow[];
  /** As `listSchemaHashes` gives them. */
  schemas: { name: string; hash: string }[];
}

type Row = SubscriberRow & { name: string | null; hash: string | null };

/**
 * Reads the endpoints that take part in fan-out, and the types among `types` that have a schema. One statement: a round
 * trip for the second would cost more than all that it reads.
 */
export async function readPublishing(
  conn: Conn,
  tenantId: string,
  types: readonly string[],
): Promise<Publishing> {
  const rows = await conn.query<Row>(
    `select id, event_types as "eventTypes", filter::text as filter, ordered, null as name, null as hash
       from webhook_endpoints where tenant_id = $1 and status <> 'disabled' and deleted_at is null
     union all
     select null, null, null, null, name, encode(sha256(convert_to(schema, 'UTF8')), 'hex')
       from event_types where tenant_id = $1 and name = any($2) and schema is not null
     order by id`,
    [tenantId, types],
    "read-publishing",
  );
  return {
    subscribers: rows.filter(({ name }) => name === null),
    schemas: rows.flatMap(({ name, hash }) => (name !== null && hash !== null ? [{ name, hash }] : [])),
  };
}
