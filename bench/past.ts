import { uuidv7 } from "uuidv7";
import { LATENCY_BOUNDS_MS } from "#contracts/endpoint-stats.ts";
import { type Db, type Tx, withTransaction } from "#db/client.ts";
import { ensurePartitions } from "#db/partitions.ts";
import { addUpHour } from "#db/queries/endpoint-hours.ts";
import { insertEndpoint } from "#db/queries/endpoints.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import type { Say } from "./report.ts";

/** A month of the past in a database: what is stored after events were published and delivered day by day. */
export interface Past {
  /** The first has six tenths of everything, the others share the rest. */
  tenantIds: string[];
  /** Of the first tenant; the last has had nothing since the first day. */
  endpointIds: string[];
  attempts: number;
  deliveries: number;
  from: Date;
}

const DAY_MS = 86_400_000;
export const DAYS = 30;
const TENANTS = 5;
const ENDPOINTS = [21, 5, 5, 5, 5];
const FAN_OUT = 3;
const ATTEMPTS_PER_DELIVERY = 1.08;
/** Of the usual schedule, in seconds after the first try. */
const TRIES_AT = [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 270_000];
/** A type of which there is one event in 20,000, and one that only the first day has. */
export const RARE_TYPE = "account.closed";
export const OLD_TYPE = "legacy.imported";
const TYPES = [
  "order.paid",
  "order.created",
  "order.shipped",
  "cart.updated",
  "invoice.paid",
  "invoice.sent",
];

/** What the statements have in common: ids and times that follow from a number, as UUIDv7 and in its order. */
const HELPERS = `
  create function bench_id(salt text, n bigint, ms bigint) returns uuid language sql immutable parallel safe as $$
    select overlay(overlay(overlay(md5(salt || n) placing lpad(to_hex(ms), 12, '0') from 1 for 12)
             placing '7' from 13 for 1) placing '8' from 17 for 1)::uuid $$;
  create function bench_tenant(n bigint) returns int language sql immutable parallel safe as $$
    select greatest(0, n % 10 - 5)::int $$;
  -- What becomes of a delivery, by its number; within the last four days it may still wait for its next try.
  create function bench_status(n bigint, day int) returns text language sql immutable parallel safe as $$
    select case when n % 1000 < 7 then case when day >= ${DAYS - 4} then 'pending' when n % 1000 < 5 then 'failed' else 'dismissed' end
                when n % 1000 < 12 then 'failed' when n % 1000 < 16 then 'cancelled' else 'delivered' end $$;
  create function bench_attempts(n bigint, day int) returns int language sql immutable parallel safe as $$
    select case when n % 1000 < 7 then case when day >= ${DAYS - 4} then 4 else 10 end
                when n % 1000 < 12 then 1 when n % 1000 < 16 then 0 when n % 1000 < 46 then 2 else 1 end $$;`;

const RANGE = "generate_series($1::bigint, $1::bigint + $2::bigint - 1) n";
/** When an event was published: they are spread evenly over the day that begins at $3. */
const AT = `($3::bigint + (n - $1::bigint) * ${DAY_MS} / $2::bigint)`;
const TENANT = "($4::uuid[])[1 + bench_tenant(n)]";
const TYPE = `case when n % 20000 = 5 then '${RARE_TYPE}' when $5::int = 0 and n % 50 = 3 then '${OLD_TYPE}'
  else (array['${TYPES.join("','")}'])[1 + n % ${TYPES.length}] end`;

const EVENTS = `
  insert into events (tenant_id, id, sequence, type, body, created_at)
  select tenant, id, sequence, type,
         '{"id":"evt_' || id || '","type":"' || type || '","timestamp":"2026-11-21T09:30:00.000Z","sequence":' || sequence
           || ',"api_version":"1","data":{"order":"ord_' || n || '","customer":"cus_' || n % 50000 || '","text":"'
           || repeat(md5(n::text), 12) || '"}}',
         to_timestamp(ms / 1000.0)
    from (select n, ${AT} as ms, ${TENANT} as tenant, bench_id('e', n, ${AT}) as id, ${TYPE} as type,
                 case when n % 10 < 6 then n / 10 * 6 + n % 10 else n / 10 end + 1 as sequence
            from ${RANGE}) e`;

const DELIVERY = `
  select n * ${FAN_OUT} + j as d, n, ${AT} as ms, ${TENANT} as tenant, ${TYPE} as type,
         ($6::uuid[])[1 + case when bench_tenant(n) > 0 then 16 + 5 * bench_tenant(n) + (n * ${FAN_OUT} + j) % 5
                               when $5::int = 0 and n % 100 = 1 then 20 else (n / 2 * ${FAN_OUT} + j) % 20 end] as endpoint
    from ${RANGE}, generate_series(0, ${FAN_OUT - 1}) j`;

const DELIVERIES = `
  insert into deliveries (tenant_id, id, event_id, endpoint_id, event_type, status, attempts, step, next_attempt_at, job_id,
                          failure_class, failure_reason, created_at, delivered_at)
  select tenant, bench_id('d', d, ms), bench_id('e', n, ms), endpoint, type, status, tries, least(tries, 10),
         case when status = 'pending' then now() + interval '1 hour' end, bench_id('j', d / 50, ms),
         case when status in ('failed', 'dismissed') then case when tries = 1 then 'permanent' else 'exhausted' end end,
         case when status in ('failed', 'dismissed', 'pending') then case when tries = 1 then 'http_410' else 'timeout' end end,
         to_timestamp(ms / 1000.0), case when status = 'delivered' then to_timestamp(ms / 1000.0 + 0.05) end
    from (select *, bench_status(d, $5) as status, bench_attempts(d, $5) as tries from (${DELIVERY}) d) d`;

const MINUTES = `
  insert into delivery_minutes (tenant_id, event_type, minute)
  select distinct tenant, type, (ms / 60000)::int as minute from (${DELIVERY}) d order by minute`;

const HEADERS = JSON.stringify({
  version: "0.1.0",
  timestamp: 1_795_000_000,
  traceparent: `00-${"0af7651916cd43dd".repeat(2)}-b7ad6b7169203331-01`,
  kid: "v1",
  signature: "5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
  standard: `v1,${"K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="}`,
});
const RESPONSE = JSON.stringify({ "content-type": "text/plain", date: "Sat, 21 Nov 2026 09:30:00 GMT" });

const ATTEMPTS = `
  insert into attempts (tenant_id, id, delivery_id, number, trigger, started_at, duration_ms, outcome, error_code, url,
                        request_headers, response_status, response_headers, response_body, connect_ms, first_byte_ms,
                        remote_address, worker)
  select tenant, bench_id('a' || k, d, at), bench_id('d', d, ms), k, 'schedule', to_timestamp(at / 1000.0), 30 + d % 50,
         case when is_ok then 'ok' else 'retry' end, case when not is_ok then 'timeout' end,
         'https://example.com/hooks/' || endpoint, '${HEADERS}', case when is_ok then 200 end,
         case when is_ok then '${RESPONSE}' end, case when is_ok then 'ok'::bytea end, 1.5, 29.5, '203.0.113.7', 1
    from (select *, k = tries and bench_status(d, $5) = 'delivered' as is_ok,
                 ms + 20 + (array[${TRIES_AT.join(",")}])[k] * 1000 as at
            from (select *, bench_attempts(d, $5) as tries from (${DELIVERY}) d) d, generate_series(1, tries) k) a`;

const LATENCIES = `array[${Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, (_, i) => (i === 8 ? 4 : 0)).join(",")}]`;

/** Stores it by plain SQL, some 20,000 attempts a second; `say` is told of each day. */
export async function makePast(db: Db, attempts: number, say: Say): Promise<Past> {
  const from = new Date(Date.now() - DAYS * DAY_MS);
  const { tenantIds, endpointIds } = await withTransaction(db, makeTenants);
  await db.query(HELPERS);
  // Each call makes them from two days before to a week after.
  for (let at = from.getTime(); at < Date.now(); at += 7 * DAY_MS)
    await withTransaction(db, (tx) => ensurePartitions(tx, new Date(at)));
  const eventsPerDay = Math.ceil(attempts / ATTEMPTS_PER_DELIVERY / FAN_OUT / DAYS);
  for (let day = 0; day < DAYS; day++) {
    const at = from.getTime() + day * DAY_MS;
    const common = [day * eventsPerDay, eventsPerDay, at, tenantIds, day];
    await withTransaction(db, async (tx) => {
      await tx.query(EVENTS, common);
      await tx.query(DELIVERIES, [...common, endpointIds]);
      await tx.query(MINUTES, [...common, endpointIds]);
      await tx.query(ATTEMPTS, [...common, endpointIds]);
    });
    say(`day ${day + 1} of ${DAYS}`);
  }
  await db.query(
    `update tenant_sequences t set last = (select coalesce(max(sequence), 0) from events e where e.tenant_id = t.tenant_id)`,
  );
  await db.query(
    `insert into endpoint_minutes (tenant_id, endpoint_id, minute, attempts, succeeded, latencies)
     select e.tenant_id, e.id, minute, 4, 4, ${LATENCIES}
       from webhook_endpoints e, generate_series(date_trunc('minute', $1::timestamptz), now(), interval '1 minute') minute`,
    [from],
  );
  while (await withTransaction(db, (tx) => addUpHour(tx, DAYS * DAY_MS)));
  await db.query("vacuum analyze");
  const [stored] = await db.query<{ attempts: number; deliveries: number }>(
    "select (select count(*)::int from attempts) as attempts, (select count(*)::int from deliveries) as deliveries",
  );
  const own = endpointIds.slice(0, ENDPOINTS[0]);
  return { tenantIds, endpointIds: own, from, ...(stored ?? { attempts: 0, deliveries: 0 }) };
}

async function makeTenants(tx: Tx): Promise<{ tenantIds: string[]; endpointIds: string[] }> {
  const now = new Date();
  const tenantIds: string[] = [];
  const endpointIds: string[] = [];
  for (let i = 0; i < TENANTS; i++) {
    const tenant = await createTenant(tx, { name: `tenant ${i}`, now });
    tenantIds.push(tenant.id);
    for (let j = 0; j < (ENDPOINTS[i] ?? 0); j++) {
      const id = uuidv7();
      endpointIds.push(id);
      await insertEndpoint(tx, tenant.id, {
        id,
        url: `https://example.com/hooks/${j}`,
        description: null,
        eventTypes: ["*"],
        signatureFormat: "hex",
        timeoutMs: 15_000,
        maxInFlight: 10,
        createdAt: now,
      });
    }
  }
  return { tenantIds, endpointIds };
}
