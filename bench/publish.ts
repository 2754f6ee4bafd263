import { buildConsole } from "#scripts/start/build.ts";
import { Child } from "./child.ts";
import type { Ground } from "./ground.ts";
import { type Installation, openInstallation } from "./installation.ts";
import type { Load, LoadResult } from "./load.ts";
import type { Row, Say } from "./report.ts";
import { eventRequest } from "./requests.ts";

export interface PublishOptions {
  bodyBytes: number;
  /** How long each row is measured. */
  durationMs: number;
  say: Say;
}

const SINGLE_CONNECTIONS = 128;
/** A few calls under way keep the lane full; with more they only wait longer. */
const BATCHES = [
  { size: 100, connections: 8 },
  { size: 1000, connections: 4 },
];
const WARM_UP_MS = 2_000;
const NEXT_TIMES = 5;

type Target = Omit<Load, "warmUpMs" | "durationMs">;

/**
 * Measures publishing over HTTP, each event with one delivery and its job: one event a call against a server that only
 * parses and answers, and against the same route served by Next alone; and batches. One client, a process of its own,
 * loads them in turn.
 */
export async function measurePublish(ground: Ground, options: PublishOptions): Promise<Row[]> {
  await buildConsole(options.say);
  const client = new Child("bench/load.ts");
  const installation = await openInstallation(ground, { receiverOrigin: "http://127.0.0.1:9", endpoints: 1 });
  try {
    return await measureRows(client, installation, options);
  } finally {
    await client.stop();
    await installation.close();
  }
}

async function measureRows(
  client: Child,
  installation: Installation,
  { bodyBytes, durationMs }: PublishOptions,
): Promise<Row[]> {
  const { headers } = installation;
  const measure = async (target: Target): Promise<LoadResult> => {
    const result = await client.ask<LoadResult>({ ...target, warmUpMs: WARM_UP_MS, durationMs });
    refuseRefusals(target, result);
    return result;
  };
  const single = { headers, ...eventRequest(bodyBytes), connections: SINGLE_CONNECTIONS };

  const bare = await withChild("bench/bare-server.ts", (origin) => measure({ ...single, origin }));
  const { origin, stop } = await installation.start("web/main.ts");
  const published = await measure({ ...single, origin });
  let stored = published.accepted;
  const batches: Row[] = [];
  for (const { size, connections } of BATCHES) {
    const { perSecond, accepted } = await measure({
      headers,
      ...eventRequest(bodyBytes, { size }),
      connections,
      origin,
    });
    stored += accepted * size;
    batches.push({
      name: `events published ${size} at a time`,
      value: perSecond * size,
      unit: "/s",
      ...(size === 1000 ? { wanted: { atLeast: 20_000 } } : {}),
    });
  }
  await stop();
  const { origin: nextOrigin } = await installation.start("bench/next-server.ts");
  const byNext = await measure({ ...single, origin: nextOrigin });
  await requireStored(installation, stored + byNext.accepted);
  return [
    {
      name: `events published one at a time, ${SINGLE_CONNECTIONS} connections`,
      value: published.perSecond,
      unit: "/s",
      limit: { name: "bare node:http server", value: bare.perSecond },
      wanted: { atLeast: 0.2 },
    },
    {
      name: "  the same route",
      value: published.perSecond,
      unit: "/s",
      limit: { name: "Next alone", value: byNext.perSecond },
      wanted: { atLeast: NEXT_TIMES },
    },
    { name: "  until the answer, median", value: published.p50Ms, unit: "ms" },
    { name: "  until the answer, 99 of 100", value: published.p99Ms, unit: "ms" },
    ...batches,
  ];
}

async function withChild<T>(file: string, work: (origin: string) => Promise<T>): Promise<T> {
  const child = new Child(file);
  try {
    const { port } = await child.said<{ port: number }>();
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    await child.stop();
  }
}

/** The answer to a batch is 200 whatever became of its events. */
async function requireStored({ shop }: Installation, accepted: number): Promise<void> {
  const [row] = await shop.db.query<{ events: number }>("select count(*)::int as events from events");
  if (row?.events !== accepted)
    throw new Error(`${accepted} events were published, and ${row?.events} are stored`);
}

/** A figure that leaves out refusals would be none. */
function refuseRefusals({ origin, path }: Target, { refused }: LoadResult): void {
  if (Object.keys(refused).length > 0)
    throw new Error(`POST ${origin}${path} was refused: ${JSON.stringify(refused)}`);
}
