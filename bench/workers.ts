import { emptyBacklog } from "./drain.ts";
import type { Ground } from "./ground.ts";
import { withReceiver } from "./receivers.ts";
import { processes, type Row } from "./report.ts";

const ENDPOINTS = 40;

/** Measures how fast one, two and four worker processes empty a backlog together. */
export async function measureWorkers(
  ground: Ground,
  size: { deliveries: number; bodyBytes: number },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const workers of [1, 2, 4]) {
    const { deliveriesPerSecond: value } = await withReceiver((receiver) =>
      emptyBacklog(ground, receiver, { ...size, workers, endpoints: ENDPOINTS }),
    );
    const [alone] = rows;
    rows.push({
      name: `${processes(workers)}, drain of a backlog`,
      value,
      unit: "/s",
      ...(alone ? { limit: { name: "one process", value: alone.value } } : {}),
    });
  }
  return rows;
}
