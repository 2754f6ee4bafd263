import type { Services } from "#server/context.ts";
import { startWorkerServer, type WorkerServer } from "#server/http/worker-server.ts";
import { runProcess } from "#server/runtime/run-process.ts";
import { openServices } from "#server/runtime/services.ts";
import { VERSION } from "#server/runtime/version.ts";
import { loadRootKeys } from "#server/settings/root-keys.ts";
import { loadSettings, type Settings, SettingsError } from "#server/settings/settings.ts";
import { createSender } from "./delivery/sender.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import { maintenancePollers } from "./jobs/maintenance.ts";
import { EngineTally } from "./metrics/engine-tally.ts";
import { observeWorker } from "./metrics/observe-worker.ts";

/** The composition root of a worker process: deliveries, and what keeps the house in order. */
async function start() {
  const settings = loadSettings();
  const databaseUrl = settings.databaseUrl;
  if (!databaseUrl)
    throw new SettingsError(
      "DATABASE_URL is not set; `npm start` runs everything with an embedded database.",
    );
  const { services, close } = await openServices({
    role: "worker",
    name: "worker",
    databaseUrl,
    rootKeys: loadRootKeys(settings),
    allowPrivateTargets: settings.allowPrivateTargets,
    refuseTargets: settings.refuseTargets,
    logLevel: settings.logLevel,
    tracing: settings.tracing,
  });
  const { db, boss, log, keyring, addressPolicy } = services;
  const sender = createSender({ policy: addressPolicy });
  const { retryScale } = settings;
  const tally = new EngineTally();
  const worker = new DeliveryWorker({
    db,
    databaseUrl,
    boss,
    keyring,
    log,
    sender,
    version: VERSION,
    retryScale,
    observer: tally,
    noteChange: services.noteChange,
    tracer: services.tracer,
  });
  const jobs = maintenancePollers({
    ...services,
    retryScale,
    retentionDays: settings.retentionDays,
    onStrays: (found) => tally.strayed(found),
  });
  const server = await serveFigures(settings, services, { tally, worker });
  await worker.start();
  for (const job of jobs) job.start();
  log.info({ metricsPort: server?.port }, "delivering");
  process.send?.({ ready: true, metricsPort: server?.port });

  return {
    async stop() {
      log.info("stopping: requests under way may end");
      await Promise.all([...jobs.map((job) => job.stop()), worker.stop()]);
      await server?.close();
      await close();
      log.info("stopped");
    },
  };
}

/** The worker's own port, where there is to be one. */
async function serveFigures(
  { workerMetricsPort: port, host, metricsToken }: Settings,
  { db, keyring, log, tracer }: Services,
  { tally, worker }: { tally: EngineTally; worker: DeliveryWorker },
): Promise<WorkerServer | undefined> {
  if (port === undefined) return undefined;
  return startWorkerServer({
    ...{ host, port, log },
    metrics: observeWorker({ db, tracer }, tally, () => worker.inHand()),
    token: metricsToken ?? keyring.derive("metrics"),
    holdsLease: () => worker.inHand().holdsLease,
  });
}

await runProcess(start);
