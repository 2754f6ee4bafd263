import { toId } from "#contracts/ids.ts";
import { connect, withTransaction } from "#db/client.ts";
import { newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import { createApiKey } from "#server/keys/create-api-key.ts";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { openServices } from "#server/runtime/services.ts";
import { createWebServer } from "#web/server.ts";
import type { Ground } from "./ground.ts";
import { DAYS, makePast, OLD_TYPE, type Past, RARE_TYPE } from "./past.ts";
import { percentile, type Row, type Say } from "./report.ts";

/** Requests of each list, one after the other. */
const REQUESTS = 20;
const DAY_MS = 86_400_000;
/** What a page of a list may take: 95 of 100, in milliseconds. */
const WANTED = { atMost: 50 };

/**
 * Measures pages of the lists over HTTP, as the console asks for them, with so many attempts of a month stored: of five
 * tenants, thirty days, all states. What was asked for is another page each time, most of them never read before.
 */
export async function measureLists(
  ground: Ground,
  { attempts, say }: { attempts: number; say: Say },
): Promise<Row[]> {
  const database = await ground.createDatabase();
  try {
    await migrateDatabase(database.url);
    // Storing the past takes long, and so may an analysis of all of it.
    const db = connect(database.url, { name: "bench", statementTimeoutMs: 3_600_000 });
    try {
      const past = await makePast(db, attempts, say);
      return await measurePages(database.url, past);
    } finally {
      await db.close();
    }
  } finally {
    await database.drop();
  }
}

type Reader = (path: string) => Promise<{ ms: number; next: string | null; ids: string[] }>;

/** Measures the lists of a database that has its past already. */
async function measurePages(url: string, past: Past): Promise<Row[]> {
  const { services, close } = await openServices({
    role: "web",
    name: "bench",
    databaseUrl: url,
    rootKeys: parseRootKeys(newRootKey("k1")),
    allowPrivateTargets: [],
    logLevel: "error",
  });
  const server = await createWebServer({ services });
  try {
    const { key } = await withTransaction(services.db, (tx) =>
      createApiKey(tx, { tenantId: past.tenantIds[0] ?? "", name: "bench", now: new Date() }),
    );
    const read: Reader = async (path) => {
      const began = performance.now();
      const response = await fetch(`${server.origin}/api/v1${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const text = await response.text();
      const ms = performance.now() - began;
      // Past its time a read is ended, and takes that time.
      if (response.status !== 200 && response.status !== 503)
        throw new Error(`GET ${path}: ${response.status} ${text}`);
      const { items, next_cursor: next } = JSON.parse(text) as {
        items?: { id: string }[];
        next_cursor?: string | null;
      };
      return { ms, next: next ?? null, ids: (items ?? []).map(({ id }) => id) };
    };
    const rows: Row[] = [];
    for (const [name, pathOf] of await pagesOf(past, read)) rows.push(await measure(read, name, pathOf));
    rows.push(await measureWalk(read));
    return rows;
  } finally {
    await server.close();
    await close();
  }
}

/** The lists, each with the path of its n-th request. */
async function pagesOf(past: Past, read: Reader): Promise<[string, (n: number) => string][]> {
  const at = (n: number) => new Date(past.from.getTime() + ((n * 7) % DAYS) * DAY_MS + n * 3_600_000);
  const later = (n: number, ms: number) => new Date(at(n).getTime() + ms).toISOString();
  const endpoint = (n: number) => toId("endpoint", past.endpointIds[n % (past.endpointIds.length - 1)] ?? "");
  const quiet = toId("endpoint", past.endpointIds.at(-1) ?? "");
  const within = (n: number, ms: number) => `from=${at(n).toISOString()}&to=${later(n, ms)}`;
  const since = (days: number) => `from=${new Date(Date.now() - days * DAY_MS).toISOString()}`;
  const { ids } = await read(`/deliveries?status=delivered&${within(11, DAY_MS)}`);
  const { ids: failed } = await read(`/deliveries?status=failed&limit=${REQUESTS}`);
  const feed: (string | null)[] = [(await read("/events?limit=1000")).next];
  for (let n = 1; n < REQUESTS; n++) feed.push((await read(`/events?limit=1000&after=${feed[n - 1]}`)).next);
  return [
    ["deliveries, the newest", () => "/deliveries"],
    ["deliveries before a time", (n) => `/deliveries?to=${at(n).toISOString()}`],
    ["deliveries of an hour", (n) => `/deliveries?${within(n, 3_600_000)}`],
    ["deliveries, failed", (n) => `/deliveries?status=failed&to=${at(n).toISOString()}`],
    ["deliveries, pending", () => "/deliveries?status=pending"],
    ["deliveries, in flight", () => "/deliveries?status=in_flight"],
    [
      "deliveries, all that did not arrive",
      () => "/deliveries?status=failed&status=cancelled&status=dismissed",
    ],
    ["deliveries, delivered within 7 days", () => `/deliveries?status=delivered&${since(7)}`],
    ["deliveries of an endpoint", (n) => `/deliveries?endpoint_id=${endpoint(n)}&to=${at(n).toISOString()}`],
    ["deliveries of an endpoint, failed", (n) => `/deliveries?endpoint_id=${endpoint(n)}&status=failed`],
    ["deliveries of an endpoint that is quiet", () => `/deliveries?endpoint_id=${quiet}`],
    ["deliveries of a type", (n) => `/deliveries?event_type=order.paid&to=${at(n).toISOString()}`],
    [
      "deliveries of a type, failed",
      (n) => `/deliveries?event_type=order.paid&status=failed&to=${at(n).toISOString()}`,
    ],
    [`deliveries of a type of 1 in 20,000`, () => `/deliveries?event_type=${RARE_TYPE}`],
    [`deliveries of that type within 24 h`, () => `/deliveries?event_type=${RARE_TYPE}&${since(1)}`],
    [`deliveries of a type that only the first day has`, () => `/deliveries?event_type=${OLD_TYPE}`],
    ["deliveries of a type that there is none of", () => "/deliveries?event_type=never.published"],
    [
      "deliveries of a rare, an old and a frequent type",
      () => `/deliveries?event_type=${RARE_TYPE}&event_type=${OLD_TYPE}&event_type=order.paid`,
    ],
    ["one delivery", (n) => `/deliveries/${ids[n % ids.length]}`],
    ["attempts of a delivery that failed", (n) => `/deliveries/${failed[n % failed.length]}/attempts`],
    [
      "statistics of an endpoint, 30 days by the hour",
      (n) => `/webhook-endpoints/${endpoint(n)}/stats?${since(29)}&bucket=hour`,
    ],
    ["feed, 1,000 events", (n) => `/events?limit=1000&after=${feed[n]}`],
  ];
}

async function measure(read: Reader, name: string, pathOf: (n: number) => string): Promise<Row> {
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) times.push((await read(pathOf(n))).ms);
  return {
    name: `${name}, p95 (p50 ${percentile(times, 0.5).toFixed(1)})`,
    value: percentile(times, 0.95),
    unit: "ms",
    wanted: WANTED,
  };
}

/** Walks into the list by its cursors. */
async function measureWalk(read: Reader): Promise<Row> {
  const times: number[] = [];
  for (let next: string | null = "", page = 0; next !== null && page < 5 * REQUESTS; page++) {
    const answer: Awaited<ReturnType<Reader>> = await read(
      `/deliveries?limit=100${next ? `&after=${next}` : ""}`,
    );
    times.push(answer.ms);
    next = answer.next;
  }
  return {
    name: `deliveries, ${times.length} pages of 100 by cursor, p95 (p50 ${percentile(times, 0.5).toFixed(1)})`,
    value: percentile(times, 0.95),
    unit: "ms",
    wanted: WANTED,
  };
}
