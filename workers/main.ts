import { runProcess } from "#server/runtime/run-process.ts";
import { openServices } from "#server/runtime/services.ts";
import { VERSION } from "#server/runtime/version.ts";
import { loadRootKeys } from "#server/settings/root-keys.ts";
import { loadSettings, SettingsError } from "#server/settings/settings.ts";
import { createSender } from "./delivery/sender.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import { maintenancePollers } from "./jobs/maintenance.ts";

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
    logLevel: settings.logLevel,
  });
  const { db, boss, log, keyring, addressPolicy } = services;
  const sender = createSender({ policy: addressPolicy });
  const { retryScale } = settings;
  const worker = new DeliveryWorker({
    db,
    databaseUrl,
    boss,
    keyring,
    log,
    sender,
    version: VERSION,
    retryScale,
  });
  const jobs = maintenancePollers(services);
  await worker.start();
  for (const job of jobs) job.start();
  log.info("delivering");
  process.send?.({ ready: true });

  return {
    async stop() {
      log.info("stopping: requests under way may end");
      await Promise.all([...jobs.map((job) => job.stop()), worker.stop()]);
      await close();
      log.info("stopped");
    },
  };
}

await runProcess(start);
