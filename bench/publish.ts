import { buildConsole } from "#scripts/start/build.ts";
import { Child } from "./child.ts";
import type { Ground } from "./ground.ts";
import { type Installation, openInstallation } from "./installation.ts";
import type { LoadResult } from "./load.ts";
import type { Row } from "./report.ts";
import { eventRequest } from "./requests.ts";

export interface PublishOptions {
  bodyBytes: number;
  /** How long each row is measured. */
  durationMs: number;
}

const SINGLE_CONNECTIONS = 64;
/** A connection for every 125 events under way or so: more only wait for the tenant's counter. */
const BATCHES = [
  { size: 100, connections: 8 },
  { size: 1000, connections: 4 },
];
const WARM_UP_MS = 2_000;

interface Target {
  origin: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
}

/**
 * Measures publishing over HTTP, each event with one delivery and its job: one event a call against a server that only
 * parses and answers, against the same route served by Next alone, and batches. One client, a process of its own,
 * loads them in turn.
 */
export async function measurePublish(ground: Ground, options: PublishOptions): Promise<Row[]> {
  await buildConsole((text) => process.stderr.write(`${text}\n`));
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
  const measure = async (target: Target): Promise<number> => {
    const result = await client.ask<LoadResult>({ ...target, warmUpMs: WARM_UP_MS, durationMs });
    refuse(target, result);
    return result.perSecond;
  };
  const single = { headers, ...eventRequest(bodyBytes), connections: SINGLE_CONNECTIONS };

  const bare = await withChild("bench/bare-server.ts", (origin) => measure({ ...single, origin }));
  const { origin, stop } = await installation.start("web/main.ts");
  const published = await measure({ ...single, origin });
  const batches: Row[] = [];
  for (const { size, connections } of BATCHES) {
    const calls = await measure({ headers, ...eventRequest(bodyBytes, size), connections, origin });
    batches.push({
      name: `events published ${size} at a time`,
      perSecond: calls * size,
      ratio: (calls * size) / bare,
    });
  }
  await stop();
  const { origin: nextOrigin } = await installation.start("bench/next-server.ts");
  const byNext = await measure({ ...single, origin: nextOrigin });
  return [
    { name: "bare node:http server that parses and answers", perSecond: bare, ratio: 1 },
    { name: "events published one at a time", perSecond: published, ratio: published / bare },
    { name: "events published one at a time, Next alone", perSecond: byNext, ratio: byNext / bare },
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

/** A figure that leaves out refusals would be none. */
function refuse({ origin, path }: Target, { refused }: LoadResult): void {
  if (Object.keys(refused).length > 0)
    throw new Error(`POST ${origin}${path} was refused: ${JSON.stringify(refused)}`);
}
