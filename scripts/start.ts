import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { openServices } from "#server/runtime/services.ts";
import { ensureRootKeys, loadRootKeys } from "#server/settings/root-keys.ts";
import { describeSettings, loadSettings, type Settings } from "#server/settings/settings.ts";
import { workerProcesses } from "#server/settings/worker-processes.ts";
import { startConsumer, startDemo } from "./demo/demo.ts";
import { banner } from "./start/banner.ts";
import { buildConsole } from "./start/build.ts";
import { Children } from "./start/children.ts";
import { Database } from "./start/database.ts";
import { choosePort } from "./start/port.ts";
import { fail, step } from "./start/report.ts";
import { ensureSignIn } from "./start/sign-in.ts";

// Everything in one: database, migrations, console, web process, workers, demo. Prints what it does and where to look.

const DEMO_RETRY_SCALE = 0.001;

if (process.argv.some((argument) => argument === "--help" || argument === "-h")) {
  console.log("npm start runs Posthorn: database, web process, delivery workers and demo. Settings:\n");
  for (const { name, meaning, byDefault } of describeSettings())
    console.log(`  ${name.padEnd(22)} ${meaning}${byDefault ? ` Default: ${byDefault}.` : ""}`);
  process.exit(0);
}

/** What to undo at the end, newest last. */
const cleanups: (() => Promise<void>)[] = [];
let stopping: Promise<void> | undefined;

function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    for (const cleanup of cleanups.reverse())
      await cleanup().catch((error: unknown) =>
        console.error(`While stopping: ${error instanceof Error ? error.message : error}`),
      );
    process.exit(code);
  })();
  return stopping;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    if (stopping === undefined) console.log("\nStopping: requests under way may end.");
    void stop(0).then();
  });

async function main(): Promise<void> {
  const settings = loadSettings();
  const dataDir = resolve(settings.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const port = await choosePort(settings.host, settings.port);

  const databaseUrl = settings.databaseUrl ?? (await startDatabase(dataDir));
  ensureRootKeys({ ...settings, dataDir });
  const rootKeys = loadRootKeys({ ...settings, dataDir });
  await step("Database schema", () => migrateDatabase(databaseUrl));
  await step("Console", (say) => buildConsole(say));

  const environment = childEnvironment(settings, { dataDir, databaseUrl, port });
  const children = new Children({
    logDir: `${dataDir}/logs`,
    environment,
    onGone: (text) => void giveUp(text),
  });
  cleanups.push(() => children.stop());
  const consumer = settings.demo
    ? await step("Example consumer", () => startConsumer(children, dataDir))
    : undefined;
  await step("Delivery workers", () => startWorkers(children, settings));
  await step("Web process", () => children.start("web", "web/main.ts"));

  const { services, close } = await openServices({
    role: "web",
    name: "start",
    databaseUrl,
    rootKeys,
    allowPrivateTargets: settings.allowPrivateTargets,
    logLevel: "error",
    maxConnections: 2,
  });
  cleanups.push(close);
  const origin =
    settings.publicOrigin ??
    `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
  const signIn = await ensureSignIn(services, { origin, dataDir, rememberPassword: settings.demo });
  const demo = consumer
    ? await step("Demo", () =>
        startDemo({
          services,
          consumer,
          settings,
          dataDir,
          origin,
          signIn,
          onStop: (cleanup) => cleanups.push(cleanup),
        }),
      )
    : undefined;
  console.log(
    banner({ origin, signIn, demo, dataDir, embedded: settings.databaseUrl === undefined, settings }),
  );
}

async function startDatabase(dataDir: string): Promise<string> {
  const database = await step("Embedded PostgreSQL", (say) =>
    Database.open(dataDir, { say, onGone: (text) => void giveUp(text) }),
  );
  cleanups.push(() => database.stop());
  return database.url;
}

/** Workers share the work by themselves; each has a log and a port for its figures. */
async function startWorkers(children: Children, { host, workers, workerMetricsPort: port }: Settings) {
  const starting: Promise<unknown>[] = [];
  for (let i = 0; i < (workers ?? workerProcesses(availableParallelism())); i++) {
    const metricsPort = port ? port + i : await choosePort(host, 0);
    const environment = { WORKER_METRICS_PORT: String(metricsPort) };
    starting.push(children.start(`worker-${i + 1}`, "workers/main.ts", environment));
  }
  await Promise.all(starting);
}

/** The children see a database URL, so what depends on the embedded one is decided here. */
function childEnvironment(settings: Settings, at: { dataDir: string; databaseUrl: string; port: number }) {
  return {
    DATABASE_URL: at.databaseUrl,
    POSTHORN_DATA_DIR: at.dataDir,
    PORT: String(at.port),
    ALLOW_PRIVATE_TARGETS: settings.allowPrivateTargets.join(","),
    NODE_ENV: "production",
    ...(settings.demo && !process.env.RETRY_SCALE ? { RETRY_SCALE: String(DEMO_RETRY_SCALE) } : {}),
  };
}

async function giveUp(text: string): Promise<void> {
  if (stopping !== undefined) return;
  console.error(text);
  await stop(1);
}

main().catch(async (error: unknown) => {
  if (stopping !== undefined) return;
  fail(error);
  await stop(1);
});
