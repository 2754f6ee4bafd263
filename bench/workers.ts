import { setTimeout as delay } from "node:timers/promises";
import { whenEmpty, withCrew } from "./crew.ts";
import type { Ground } from "./ground.ts";
import { withReceiver } from "./receivers.ts";
import type { Row } from "./report.ts";
import { publishBacklog } from "./shop.ts";

const ENDPOINTS = 40;
const WARM_UP = 5_000;

/** Measures how fast one, two and four worker processes empty a backlog together. */
export async function measureWorkers(
  ground: Ground,
  { deliveries, bodyBytes }: { deliveries: number; bodyBytes: number },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const workers of [1, 2, 4]) {
    const value = await withReceiver(({ origin, count }) =>
      withCrew(ground, { origin, endpoints: ENDPOINTS }, async ({ shop, start }) => {
        await publishBacklog(shop, { deliveries: deliveries + workers * WARM_UP, bodyBytes });
        await start(workers);
        while ((await count()) < workers * WARM_UP) await delay(5);
        const began = { at: performance.now(), sent: await count() };
        await whenEmpty(shop.db);
        const sent = deliveries + workers * WARM_UP - began.sent;
        return sent / ((performance.now() - began.at) / 1000);
      }),
    );
    const [alone] = rows;
    rows.push({
      name: `${workers} worker process${workers === 1 ? "" : "es"}, drain of a backlog`,
      value,
      unit: "/s",
      ...(alone ? { limit: { name: "one process", value: alone.value } } : {}),
    });
  }
  return rows;
}
