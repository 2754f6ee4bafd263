import type { Conn, Tx } from "../client.ts";
import { CREATED_POSITION, keyset, keysetValues, type PageQuery } from "./paging.ts";

/** What a tenant says of an event type. `schema` and `example` are JSON texts. */
export interface EventTypeContent extends Record<string, unknown> {
  description: string | null;
  schema: string | null;
  example: string | null;
  deprecated: boolean;
}

export interface EventTypeRow extends EventTypeContent {
  name: string;
  version: string;
  /** `null`: built in. */
  createdAt: Date | null;
  updatedAt: Date | null;
}

export interface ListedEventTypeRow extends EventTypeRow {
  createdPosition: string;
}

const COLUMNS = `name, description, schema, example, deprecated, version, created_at as "createdAt", updated_at as "updatedAt"`;

/** One of the tenant's own types. */
export async function findEventType(
  conn: Conn,
  tenantId: string,
  name: string,
): Promise<EventTypeRow | undefined> {
  const [row] = await conn.query<EventTypeRow>(
    `select ${COLUMNS} from event_types where tenant_id = $1 and name = $2`,
    [tenantId, name],
    "find-event-type",
  );
  return row;
}

/** Older than any type of a tenant, so that the built-in ones end the list. */
const BUILT_IN_SINCE = "timestamptz '2000-01-01Z'";

/** The tenant's types, newest first, then the built-in ones. */
export function listEventTypes(
  conn: Conn,
  tenantId: string,
  builtIn: readonly { name: string; description: string; version: string }[],
  page: PageQuery,
): Promise<ListedEventTypeRow[]> {
  return conn.query(
    `select name, description, schema, example, deprecated, version, "createdAt", "updatedAt", ${CREATED_POSITION}
       from (
         select name collate "C" as id, ${COLUMNS}, created_at from event_types where tenant_id = $1
         union all
         select name collate "C", name, description, null, null, false, version, null, null, ${BUILT_IN_SINCE}
           from unnest($2::text[], $3::text[], $4::bigint[]) as built_in (name, description, version)
       ) as types
      where ${keyset(page, 5, "text")}`,
    [
      tenantId,
      builtIn.map(({ name }) => name),
      builtIn.map((type) => type.description),
      builtIn.map((type) => type.version),
      ...keysetValues(page),
    ],
  );
}

/**
 * Stores a type, in place of the one of that name if there is one, whose version grows. That of a new one begins with the
 * milliseconds of the epoch: a name that is taken anew never has a version twice.
 */
export async function putEventType(
  tx: Tx,
  tenantId: string,
  type: EventTypeContent & { name: string; at: Date },
): Promise<EventTypeRow> {
  const [row] = await tx.query<EventTypeRow>(
    `insert into event_types (tenant_id, name, description, schema, example, deprecated, created_at, updated_at, version)
     values ($1, $2, $3, $4, $5, $6, $7, $7, floor(extract(epoch from $7::timestamptz) * 1000))
     on conflict (tenant_id, name) do update set description = excluded.description, schema = excluded.schema,
       example = excluded.example, deprecated = excluded.deprecated, updated_at = excluded.updated_at,
       version = event_types.version + 1
     returning ${COLUMNS}`,
    [tenantId, type.name, type.description, type.schema, type.example, type.deprecated, type.at],
  );
  if (!row) throw new Error("upsert gave no row");
  return row;
}

export async function deleteEventType(tx: Tx, tenantId: string, name: string): Promise<void> {
  await tx.query("delete from event_types where tenant_id = $1 and name = $2", [tenantId, name]);
}

/** The types among `names` that have a schema, with its SHA-256 in hex. */
export function listSchemaHashes(
  conn: Conn,
  tenantId: string,
  names: readonly string[],
): Promise<{ name: string; hash: string }[]> {
  return conn.query(
    `select name, encode(sha256(convert_to(schema, 'UTF8')), 'hex') as hash from event_types
      where tenant_id = $1 and name = any($2) and schema is not null`,
    [tenantId, names],
    "list-schema-hashes",
  );
}

/** The schemas of the types among `names` that have one, as JSON texts. */
export function listSchemas(
  conn: Conn,
  tenantId: string,
  names: readonly string[],
): Promise<{ name: string; schema: string }[]> {
  return conn.query(
    "select name, schema from event_types where tenant_id = $1 and name = any($2) and schema is not null",
    [tenantId, names],
  );
}
