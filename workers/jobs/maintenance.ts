import { withTransaction } from "#db/client.ts";
import { ensurePartitions } from "#db/partitions.ts";
import type { Position } from "#db/queries/reconcile.ts";
import type { Services } from "#server/context.ts";
import { Poller, type RunEnd } from "../delivery/poller.ts";
import { addUpHours } from "./add-up-hours.ts";
import { announceExpiring } from "./announce-expiring.ts";
import { cancelQueued } from "./cancel-queued.ts";
import { checkHealth } from "./check-health.ts";
import { expireIdempotency } from "./expire-idempotency.ts";
import { purgeDeliveryMinutes } from "./purge-delivery-minutes.ts";
import { purgeEndpoints } from "./purge-endpoints.ts";
import { purgeMinutes } from "./purge-minutes.ts";
import { purgePortalLinks } from "./purge-portal-links.ts";
import { purgeRateBuckets } from "./purge-rate-buckets.ts";
import { purgeReplays } from "./purge-replays.ts";
import { purgeStaff } from "./purge-staff.ts";
import { purgeTombstones } from "./purge-tombstones.ts";
import { queuePending, reconcileOrdered } from "./queue-pending.ts";
import { reconcile } from "./reconcile.ts";
import { releaseHeld } from "./release-held.ts";
import { restartReplays } from "./restart-replays.ts";
import { retaining } from "./retain.ts";
import { stepReplays } from "./step-replays.ts";

/** What keeps the house in order: every worker process runs each of them, at once or one after the other. */
interface MaintenanceJob {
  /** As the log has it. */
  name: string;
  everyMs: number;
  /** One bounded part of the work; it is asked for again at once while there is more. */
  run(): Promise<RunEnd>;
}

type MaintenanceDeps = Pick<Services, "db" | "boss" | "log" | "now" | "wakeWorkers"> & {
  retryScale: number;
  /** The retention of tenants that have none of their own. */
  retentionDays: number;
  /** Is told of due deliveries that had no job. */
  onStrays?(deliveries: number): void;
};

const moreIf = (isMore: boolean): RunEnd => (isMore ? "more" : "idle");

function maintenanceJobs(deps: MaintenanceDeps): MaintenanceJob[] {
  return [
    { name: "reconcile", everyMs: 30_000, run: reconciling(deps) },
    { name: "reconcile ordered", everyMs: 30_000, run: () => findStranded(deps) },
    { name: "cancel queued", everyMs: 1_000, run: async () => moreIf(await cancelQueued(deps)) },
    { name: "release held", everyMs: 500, run: async () => moreIf(await releaseHeld(deps)) },
    { name: "queue pending", everyMs: 500, run: async () => moreIf(await queuePending(deps)) },
    { name: "replays", everyMs: 200, run: async () => moreIf(await stepReplays(deps)) },
    { name: "endpoint health", everyMs: 10_000, run: () => checkHealth(deps) },
    { name: "expiring secrets", everyMs: 60_000, run: async () => moreIf(await announceExpiring(deps)) },
    { name: "restart replays", everyMs: 30_000, run: () => findReplays(deps) },
    { name: "partitions", everyMs: 3_600_000, run: () => makePartitions(deps) },
    { name: "retention", everyMs: 900_000, run: retaining(deps) },
    { name: "expire idempotency", everyMs: 60_000, run: async () => moreIf(await expireIdempotency(deps)) },
    { name: "add up figures", everyMs: 60_000, run: async () => moreIf(await addUpHours(deps)) },
    { name: "purge figures", everyMs: 3_600_000, run: async () => moreIf(await purgeMinutes(deps)) },
    {
      name: "purge delivery minutes",
      everyMs: 3_600_000,
      run: async () => moreIf(await purgeDeliveryMinutes(deps)),
    },
    { name: "purge rate limits", everyMs: 60_000, run: async () => moreIf(await purgeRateBuckets(deps)) },
    { name: "purge endpoints", everyMs: 3_600_000, run: async () => moreIf(await purgeEndpoints(deps)) },
    { name: "purge replays", everyMs: 3_600_000, run: async () => moreIf(await purgeReplays(deps)) },
    {
      name: "purge portal links",
      everyMs: 3_600_000,
      run: async () => moreIf(await purgePortalLinks(deps)),
    },
    { name: "purge staff", everyMs: 3_600_000, run: async () => moreIf(await purgeStaff(deps)) },
    { name: "purge tombstones", everyMs: 3_600_000, run: async () => moreIf(await purgeTombstones(deps)) },
  ];
}

/** A poller for each job, which logs under the job's name. */
export function maintenancePollers(deps: MaintenanceDeps): Poller[] {
  return maintenanceJobs(deps).map(
    ({ name, everyMs, run }) => new Poller(everyMs, run, deps.log.child({ job: name })),
  );
}

/** Rounds of the reconciler, each where the one before ended. */
function reconciling({ db, boss, log, onStrays }: MaintenanceDeps): () => Promise<RunEnd> {
  let inspected: Position | undefined;
  return async () => {
    const round = await reconcile({ db, boss }, inspected);
    inspected = round.next;
    if (round.strays > 0) {
      onStrays?.(round.strays);
      log.warn({ deliveries: round.strays }, "due deliveries had no job");
    }
    return moreIf(inspected !== undefined);
  };
}

async function findReplays({ db, boss, log }: MaintenanceDeps): Promise<RunEnd> {
  const replays = await restartReplays({ db, boss });
  if (replays > 0) log.warn({ replays }, "replays had no job");
  return "idle";
}

async function findStranded({ db, boss, log }: MaintenanceDeps): Promise<RunEnd> {
  const endpoints = await reconcileOrdered({ db, boss });
  if (endpoints > 0) log.warn({ endpoints }, "queues of ordered endpoints had no job");
  return "idle";
}

async function makePartitions({ db, now }: MaintenanceDeps): Promise<RunEnd> {
  await withTransaction(db, (tx) => ensurePartitions(tx, now()));
  return "idle";
}
