import { withTransaction } from "#db/client.ts";
import { ensurePartitions } from "#db/partitions.ts";
import type { Position } from "#db/queries/reconcile.ts";
import { runProcess } from "#server/runtime/run-process.ts";
import { openServices } from "#server/runtime/services.ts";
import { VERSION } from "#server/runtime/version.ts";
import { loadRootKeys } from "#server/settings/root-keys.ts";
import { loadSettings, SettingsError } from "#server/settings/settings.ts";
import { Poller } from "./delivery/poller.ts";
import { createSender } from "./delivery/sender.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import { cancelQueued } from "./jobs/cancel-queued.ts";
import { reconcile } from "./jobs/reconcile.ts";

const RECONCILE_MS = 30_000;
const CLOSINGS_MS = 1_000;
const PARTITIONS_MS = 3_600_000;

/** The composition root of a worker process: deliveries, the reconciler, partitions ahead of time. */
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
  let inspected: Position | undefined;
  const strays = new Poller(
    RECONCILE_MS,
    async () => {
      const round = await reconcile({ db, boss }, inspected);
      inspected = round.next;
      if (round.strays > 0) log.warn({ deliveries: round.strays }, "due deliveries had no job");
      return inspected ? "more" : "idle";
    },
    log,
  );
  const closings = new Poller(
    CLOSINGS_MS,
    async () => ((await cancelQueued({ db, boss })) ? "more" : "idle"),
    log,
  );
  const partitions = new Poller(
    PARTITIONS_MS,
    async () => {
      await withTransaction(db, (tx) => ensurePartitions(tx, new Date()));
      return "idle";
    },
    log,
  );
  const jobs = [strays, closings, partitions];
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
