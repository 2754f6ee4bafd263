import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uuidFloor } from "#contracts/ids.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { type Conn, connect, type Db } from "../client.ts";
import { type DeliveryFilter, listDeliveries } from "./list-deliveries.ts";

const TENANT = "00000000-0000-7000-8000-0000000000aa";
const ROWS = 60_000;
/** As many pages of 8 KiB as a page of the list may touch. */
const MAX_BLOCKS = 700;
let database: TestDatabase;
let db: Db;
let start: number;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "list-test" });
  // Delivered, all of it, but for the oldest: whoever walks along the list to find the rest walks all of it.
  start = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  await db.query(
    `insert into deliveries (tenant_id, id, event_id, event_type, endpoint_id, status, job_id, created_at)
     select $1, (left(lpad(to_hex($2::bigint + n), 12, '0'), 8) || '-' || right(lpad(to_hex($2::bigint + n), 12, '0'), 4)
                 || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
            ('00000000-0000-7000-8000-' || lpad((n / 5)::text, 12, '0'))::uuid, case when n % 15000 = 1 then 'Rare' else 'Type' || n % 3 end,
            ('00000000-0000-7000-9000-' || lpad((n % 20)::text, 12, '0'))::uuid,
            case when n >= 800 then 'delivered' else (array['pending','failed','cancelled','dismissed'])[1 + n % 4] end,
            ('00000000-0000-7000-a000-' || lpad((n / 50)::text, 12, '0'))::uuid, to_timestamp(($2::bigint + n) / 1000.0)
       from generate_series(0, $3::int - 1) n`,
    [TENANT, start, ROWS],
  );
  await db.query(
    `insert into claims (job_id, queue, worker, tenant_id, delivery_ids)
     select job_id, 'deliver', 1, tenant_id, array_agg(id) from deliveries
      where job_id = '00000000-0000-7000-a000-000000000003' group by 1, 4`,
  );
  await noteMinutes();
  await db.query("vacuum analyze deliveries, delivery_minutes");
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/** Writes what those who store deliveries write beside them. */
const noteMinutes = () =>
  db.query(
    `insert into delivery_minutes (tenant_id, event_type, minute)
     select distinct tenant_id, event_type, floor(extract(epoch from created_at) / 60)::int from deliveries
     except all select * from delivery_minutes`,
  );

const NOTHING: DeliveryFilter = { ids: [], endpointIds: [], eventIds: [] };
const endpointId = "00000000-0000-7000-9000-000000000007";
const newest = { limit: 50, from: null, backward: false };

/** A connection that explains what it is asked in place of answering. */
function explaining(seen: { blocks: number }): Conn {
  return {
    ...db,
    async query(text, values) {
      const [row] = await db.query<{ "QUERY PLAN": { Plan: Record<string, number> }[] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      );
      const plan = row?.["QUERY PLAN"][0]?.Plan ?? {};
      seen.blocks = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
      return [];
    },
  };
}

describe("a page of deliveries", () => {
  it.each<[string, Partial<DeliveryFilter>, number, blocks?: number]>([
    ["everything", {}, 51],
    ["an endpoint", { endpointIds: [endpointId] }, 51],
    ["an event", { eventIds: ["00000000-0000-7000-8000-000000000009"] }, 5],
    ["what failed, long ago", { statuses: ["failed"] }, 51],
    ["what failed, was cancelled or dismissed", { statuses: ["failed", "cancelled", "dismissed"] }, 51],
    ["what waits", { statuses: ["pending"] }, 51],
    ["what is in flight", { statuses: ["in_flight"] }, 12],
    ["what was delivered", { statuses: ["delivered"] }, 51],
    [
      "all states",
      { statuses: ["pending", "in_flight", "delivered", "failed", "cancelled", "dismissed"] },
      51,
      // A page of each state, each row with its look-up.
      2 * MAX_BLOCKS,
    ],
    ["what was dismissed at an endpoint", { endpointIds: [endpointId], statuses: ["dismissed"] }, 40],
    ["a type that is not rare", { eventTypes: ["Type1"] }, 51],
    ["a type that there is none of", { eventTypes: ["Never"] }, 0],
    ["types of which one is not rare", { eventTypes: ["Rare", "Never", "Type2"] }, 51],
  ])("of %s costs what it shows", async (_what, over, expected, blocks = MAX_BLOCKS) => {
    const filter = { ...NOTHING, ...over };
    expect(await listDeliveries(db, TENANT, filter, newest)).toHaveLength(expected);
    const seen = { blocks: Number.NaN };
    await listDeliveries(explaining(seen), TENANT, filter, newest);
    expect(seen.blocks).toBeLessThan(blocks);
  });

  it("of a short time costs what it shows, wherever it lies", async () => {
    const filter = { ...NOTHING, fromId: uuidFloor(start + 30_000), toId: uuidFloor(start + 30_040) };
    const rows = await listDeliveries(db, TENANT, filter, newest);
    expect(rows.map(({ createdAt }) => createdAt.getTime() - start)).toEqual(
      Array.from({ length: 40 }, (_, n) => 30_039 - n),
    );
    const seen = { blocks: Number.NaN };
    await listDeliveries(explaining(seen), TENANT, filter, newest);
    expect(seen.blocks).toBeLessThan(MAX_BLOCKS);
  });

  it.each<[string, Partial<DeliveryFilter>]>([
    ["failed at another endpoint", { endpointIds: [endpointId] }],
    ["failed and is of another type", { eventTypes: ["Type2"] }],
  ])("passes over what %s without a look at it", async (_what, over) => {
    const tenant = "00000000-0000-7000-8000-0000000000bb";
    await db.query(
      `insert into deliveries (tenant_id, id, event_id, event_type, endpoint_id, status, job_id, created_at)
       select $1, overlay(id::text placing lpad(to_hex(n), 4, '0') from 20 for 4)::uuid, event_id, 'Type1', $3, 'failed', job_id, created_at
         from generate_series(32768, 32768 + 2999) n, (select * from deliveries where tenant_id = $2 limit 1) d
       on conflict do nothing`,
      [tenant, TENANT, "00000000-0000-7000-9000-000000000001"],
    );
    const seen = { blocks: Number.NaN };
    const filter = { ...NOTHING, ...over, statuses: ["failed" as const] };
    await listDeliveries(explaining(seen), tenant, filter, newest);
    expect(seen.blocks).toBeLessThan(MAX_BLOCKS);
  });

  it("is the same, part for part, however states are asked for, forward and back", async () => {
    const statuses = ["pending", "in_flight", "failed"] as const;
    const filter = { ...NOTHING, statuses };
    const all = await listDeliveries(db, TENANT, filter, { ...newest, limit: 1_000 });
    expect(all).toHaveLength(400);
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(statuses));
    const at = all[100]?.id ?? "";
    const after = await listDeliveries(db, TENANT, filter, { limit: 9, from: [at], backward: false });
    expect(after).toEqual(all.slice(101, 111));
    const before = await listDeliveries(db, TENANT, filter, { limit: 9, from: [at], backward: true });
    expect(before).toEqual(all.slice(90, 100).toReversed());
  });

  it("has only what every id that was given fits", async () => {
    const [row] = await listDeliveries(db, TENANT, NOTHING, newest);
    const [id, eventId] = [row?.id ?? "", row?.eventId ?? ""];
    const count = async (over: Partial<DeliveryFilter>) =>
      (await listDeliveries(db, TENANT, { ...NOTHING, ...over }, newest)).length;
    expect(await count({ ids: [id], eventIds: [eventId] })).toBe(1);
    expect(await count({ ids: [id], endpointIds: [row?.endpointId ?? "", endpointId] })).toBe(0);
    expect(await count({ ids: [id], statuses: ["failed"] })).toBe(0);
    expect(await count({ ids: [id], statuses: ["delivered", "failed"] })).toBe(1);
  });
});
