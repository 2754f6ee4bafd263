import { uuidv7 } from "uuidv7";
import type { DisableReason, Warning } from "#contracts/endpoint-health.ts";
import { toId } from "#contracts/ids.ts";
import type { OperationalEvent } from "#contracts/operational-events.ts";
import { type Tx, withTransaction } from "#db/client.ts";
import { type LockedEndpoint, lockEndpoint, setEndpointStatus } from "#db/queries/change-endpoint.ts";
import { type EndpointKey, type HealthRow, lockHealth, setWarned } from "#db/queries/endpoint-health.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Services } from "../context.ts";
import { failingWindowMs, type Verdict, verdictOn } from "../domain/endpoint-health.ts";
import type { EmitDeps } from "../events/emit-events.ts";
import { storeOperational } from "../events/store-operational.ts";
import { announceEndpoint } from "../runtime/wake.ts";
import { cancelQueued } from "./cancel-queued.ts";

export type HealthDeps = EmitDeps & Pick<Services, "db"> & { retryScale: number };

/**
 * Does what the health of an endpoint asks for, in one transaction: disables it, or warns its owner; gives what that was.
 * Looks again under locks, so that of many who come at the same time one does it. Either is an event of the tenant.
 */
export function applyHealth(deps: HealthDeps, key: EndpointKey): Promise<Verdict> {
  return withTransaction(deps.db, async (tx) => {
    await lockTenant(tx, key.tenantId);
    const endpoint = await lockEndpoint(tx, key.tenantId, key.endpointId);
    if (!endpoint || endpoint.status === "disabled") return undefined;
    const health = await lockHealth(tx, key);
    if (!health) return undefined;
    const verdict = verdictOn(health, {
      now: health.now,
      scale: deps.retryScale,
      isPaused: endpoint.status === "paused",
    });
    if (!verdict) return undefined;
    const event =
      "disable" in verdict
        ? await disable(tx, deps, { key, endpoint, health, reason: verdict.disable })
        : await warn(tx, deps, { key, endpoint, health, percent: verdict.warn });
    await storeOperational(tx, deps, key.tenantId, [event]);
    return verdict;
  });
}

interface Case {
  key: EndpointKey;
  endpoint: LockedEndpoint;
  health: HealthRow;
}

async function disable(
  tx: Tx,
  { boss, now }: HealthDeps,
  { key, endpoint, health, reason }: Case & { reason: DisableReason },
): Promise<OperationalEvent> {
  const { tenantId, endpointId } = key;
  await setEndpointStatus(tx, tenantId, { id: endpointId, status: "disabled", at: health.now, reason });
  await announceEndpoint(tx, endpointId);
  await cancelQueued(tx, boss, key);
  const id = toId("endpoint", endpointId);
  await appendAudit(
    tx,
    { tenantId, requestId: uuidv7(), now, actor: { kind: "system" } },
    {
      action: "webhook_endpoint.disable",
      target: id,
      before: { status: endpoint.status, disabled_reason: endpoint.disabledReason },
      after: { status: "disabled", disabled_reason: reason },
    },
  );
  return {
    type: "posthorn.endpoint.disabled",
    data: {
      endpoint_id: id,
      url: endpoint.url,
      reason,
      disabled_at: health.now.toISOString(),
      ...failures(health),
    },
  };
}

async function warn(
  tx: Tx,
  { retryScale }: HealthDeps,
  { key, endpoint, health, percent }: Case & { percent: Warning },
): Promise<OperationalEvent> {
  await setWarned(tx, key, percent);
  const since = (health.firstFailureAt ?? health.now).getTime();
  return {
    type: "posthorn.endpoint.failing",
    data: {
      endpoint_id: toId("endpoint", key.endpointId),
      url: endpoint.url,
      percent,
      disabled_after: new Date(since + failingWindowMs(retryScale)).toISOString(),
      ...failures(health),
    },
  };
}

const failures = ({ firstFailureAt, failures, lastSuccessAt }: HealthRow) => ({
  failing_since: firstFailureAt?.toISOString() ?? null,
  failed_attempts: failures,
  last_success_at: lastSuccessAt?.toISOString() ?? null,
});
