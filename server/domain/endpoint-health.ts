import {
  DISABLE_AFTER_BLOCKED,
  DISABLE_AFTER_FAILURES,
  DISABLE_AFTER_HOURS,
  type DisableReason,
  WARNINGS,
  type Warning,
} from "#contracts/endpoint-health.ts";

/** What is known of an endpoint that has failed since its last success. */
export interface Health {
  failures: number;
  firstFailureAt: Date | null;
  blockedInRow: number;
  goneAt: Date | null;
  /** The warning that its owner has had of these failures: 0 is none. */
  warned: number;
}

/** What is to be done about an endpoint. */
export type Verdict = { disable: DisableReason } | { warn: Warning } | undefined;

/** How long an endpoint may go without one success. `scale` is RETRY_SCALE. */
export const failingWindowMs = (scale: number): number => DISABLE_AFTER_HOURS * 3_600_000 * scale;

/**
 * Whether an endpoint is to be disabled, or its owner to be warned. It is disabled when the window has passed since the
 * first failure without one success and enough attempts have failed; the way there is as long as the longer of the two.
 * While it is paused nothing is sent, so that the time that passes says nothing. Of a warning that was missed only the
 * higher one is given.
 */
export function verdictOn(
  health: Health,
  { now, scale, isPaused }: { now: Date; scale: number; isPaused: boolean },
): Verdict {
  if (health.goneAt) return { disable: "gone" };
  if (health.blockedInRow >= DISABLE_AFTER_BLOCKED) return { disable: "blocked_address" };
  if (isPaused || !health.firstFailureAt) return undefined;
  const passed = (now.getTime() - health.firstFailureAt.getTime()) / failingWindowMs(scale);
  const percent = 100 * Math.min(passed, health.failures / DISABLE_AFTER_FAILURES);
  if (percent >= 100) return { disable: "failing" };
  const warn = WARNINGS.findLast((each) => percent >= each);
  return warn !== undefined && warn > health.warned ? { warn } : undefined;
}

/** What of a try bears on the health of its endpoint. */
export interface TriedEndpoint {
  tenantId: string;
  endpointId: string;
  startedAt: Date;
  durationMs: number;
  outcome: string;
  errorCode: string | null;
}

/** What tries change in the health of one endpoint. */
export interface HealthChange {
  tenantId: string;
  endpointId: string;
  /** There was a success; what comes below came after the last one. */
  hadSuccess: boolean;
  failures: number;
  /** Refusals by the address policy at the end; all of `failures` when there was nothing else. */
  blocked: number;
  isGone: boolean;
}

/** Whether a failure is our own, and says nothing of the endpoint. */
export const isOwnFault = ({ outcome, errorCode }: Pick<TriedEndpoint, "outcome" | "errorCode">): boolean =>
  outcome === "lost" || errorCode === "internal";

/** What tries change in the health of their endpoints, in one order everywhere: that of tenants and endpoints. */
export function healthChanges(tries: readonly TriedEndpoint[]): HealthChange[] {
  const changes = new Map<string, HealthChange>();
  const ended = ({ startedAt, durationMs }: TriedEndpoint) => startedAt.getTime() + durationMs;
  for (const tried of tries.toSorted((a, b) => ended(a) - ended(b))) {
    if (isOwnFault(tried)) continue;
    const { tenantId, endpointId, outcome } = tried;
    const key = `${tenantId} ${endpointId}`;
    const change = changes.get(key);
    const before = change ?? { hadSuccess: false, failures: 0, blocked: 0, isGone: false };
    const after =
      outcome === "ok"
        ? { hadSuccess: true, failures: 0, blocked: 0, isGone: before.isGone }
        : {
            hadSuccess: before.hadSuccess,
            failures: before.failures + 1,
            blocked: tried.errorCode === "address_blocked" ? before.blocked + 1 : 0,
            isGone: before.isGone || outcome === "disable",
          };
    changes.set(key, { tenantId, endpointId, ...after });
  }
  return [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
}
