import type { Db } from "#db/client.ts";
import type { Answer } from "../test-support.ts";

/** Headers that count or name answers: they differ from one to the next, whatever is asked. */
const OWN = ["date", "x-request-id", "ratelimit", "ratelimit-policy"];

/** All that a client sees of an answer but for what differs from any other answer. */
export function visible({ status, headers, text }: Answer): unknown {
  const told = Object.fromEntries([...headers].filter(([name]) => !OWN.includes(name)));
  return { status, headers: told, body: text.replaceAll(headers.get("x-request-id") ?? "", "ID") };
}

/** The same of an answer that tells of something new: its times, numbers and the names `own` are its own too. */
export function visibleNews(answer: Answer, own: readonly string[]): unknown {
  const text = own.reduce((masked, name) => masked.replaceAll(name, "NAME"), answer.text);
  const masked = text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/"sequence":\d+/g, '"sequence":0');
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  const location = headers.get("location");
  if (location !== null)
    headers.set(
      "location",
      own.reduce((path, name) => path.replaceAll(name, "NAME"), location),
    );
  return visible({ ...answer, headers, text: masked });
}

/** Tables that hold nothing of a tenant's. A new table without `tenant_id` must be named here, or hold one. */
const OF_NO_TENANT = [
  ...["staff_users", "staff_sessions", "staff_accounts", "staff_verifications", "staff_rate_limits"],
  ...["staff_password_failures", "staff_two_factors", "staff_passkeys"],
  ...["workers", "rate_buckets", "retention_state", "endpoint_hours_until"],
];

/** A digest of all rows that a tenant has in each table, and of the jobs that name it. */
export async function digestOf(db: Db, tenantId: string): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string; column: string | null }>(
    `select c.relname as name,
            (select a.attname from pg_attribute a where a.attrelid = c.oid
                and (a.attname = 'tenant_id' or (c.relname = 'tenants' and a.attname = 'id'))) as column
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const unknown = tables.filter(({ name, column }) => column === null && !OF_NO_TENANT.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `Whose are the rows of ${unknown.map(({ name }) => name)}? Say so in web/testing/walls.ts.`,
    );
  const digests = tables
    .filter(({ column }) => column !== null)
    .map(
      async ({ name, column }) =>
        [name, await digest(db, `${name} t where t.${column} = $1`, tenantId)] as const,
    );
  const jobs = await digest(db, "pgboss.job t where t.data::text like '%' || $1::text || '%'", tenantId);
  return { ...Object.fromEntries(await Promise.all(digests)), jobs };
}

async function digest(db: Db, from: string, tenantId: string): Promise<string> {
  // When a key was last used is written a while after its use.
  const [row] = await db.query<{ rows: number; hash: string }>(
    `with found as (select (to_jsonb(t) - 'last_used_at')::text as row from ${from})
     select count(*)::int as rows, md5(coalesce(string_agg(row, E'\\n' order by row), '')) as hash from found`,
    [tenantId],
  );
  return `${row?.rows} rows, ${row?.hash}`;
}
