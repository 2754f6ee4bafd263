import type { Db } from "#db/client.ts";
import { whenEmpty, withCrew } from "./crew.ts";
import type { Ground } from "./ground.ts";
import { withReceiver } from "./receivers.ts";
import type { Row } from "./report.ts";
import { publishBacklog } from "./shop.ts";

const ENDPOINTS = 20;

/** Measures what an event with one delivery, and its delivery at the first try, write and leave behind, in bytes. */
export async function measureStorage(
  ground: Ground,
  { deliveries, bodyBytes }: { deliveries: number; bodyBytes: number },
): Promise<Row[]> {
  return withReceiver(({ origin }) =>
    withCrew(ground, { origin, endpoints: ENDPOINTS }, async ({ shop, start }) => {
      const { db } = shop;
      // Right after a checkpoint the first change of each page writes the whole page, as it does every few minutes.
      await db.query("checkpoint");
      const before = await position(db);
      await publishBacklog(shop, { deliveries, bodyBytes });
      const published = await position(db);
      await start(1);
      await whenEmpty(db);
      const delivered = await position(db);
      const each = (name: string, bytes: number): Row => ({ name, value: bytes / deliveries, unit: "B" });
      const rows = [
        each("WAL for publishing an event with one delivery", published - before),
        each("WAL for delivering it", delivered - published),
      ];
      await db.query("vacuum");
      for (const [kind, bytes] of await sizes(db)) rows.push(each(`kept in ${kind}`, bytes));
      return rows;
    }),
  );
}

async function position(db: Db): Promise<number> {
  const [row] = await db.query<{ bytes: string }>("select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes");
  return Number(row?.bytes);
}

/** Bytes of the tables that grow, by table and its indexes. */
async function sizes(db: Db): Promise<[string, number][]> {
  const rows = await db.query<{ name: string; heap: string; indexes: string }>(
    `select parent.relname as name, sum(pg_table_size(inhrelid)) as heap, sum(pg_indexes_size(inhrelid)) as indexes
       from pg_inherits join pg_class parent on parent.oid = inhparent
      where parent.relname in ('events', 'deliveries', 'attempts') and parent.relkind = 'p' group by 1 order by 1 desc`,
  );
  return rows.flatMap(({ name, heap, indexes }): [string, number][] => [
    [name, Number(heap)],
    [`the indexes of ${name}`, Number(indexes)],
  ]);
}
