import { toId } from "#contracts/ids.ts";
import { type EndpointKey, forgetDeleted, listFailingAfter } from "#db/queries/endpoint-health.ts";
import type { Services } from "#server/context.ts";
import { verdictOn } from "#server/domain/endpoint-health.ts";
import { applyHealth, type HealthDeps } from "#server/endpoints/apply-health.ts";
import type { RunEnd } from "../delivery/poller.ts";

const LOOK_AT_ONCE = 1_000;
const FORGET_AT_ONCE = 1_000;
const NIL = "00000000-0000-0000-0000-000000000000";
const BEFORE_ALL: EndpointKey = { tenantId: NIL, endpointId: NIL };

/**
 * Goes through all endpoints that fail at present: disables those for which it is time, and warns the owners of those that
 * are on the way there. One that cannot be changed does not keep the others from it.
 */
export async function checkHealth(deps: HealthDeps & Pick<Services, "log">): Promise<RunEnd> {
  for (let after: EndpointKey | undefined = BEFORE_ALL; after !== undefined; )
    after = await checkPart(deps, after);
  return (await forgetDeleted(deps.db, FORGET_AT_ONCE)) === FORGET_AT_ONCE ? "more" : "idle";
}

/** Gives the last endpoint that was looked at, when there may be more. */
async function checkPart(
  deps: HealthDeps & Pick<Services, "log">,
  after: EndpointKey,
): Promise<EndpointKey | undefined> {
  const { db, log, retryScale: scale } = deps;
  const failing = await listFailingAfter(db, after, LOOK_AT_ONCE);
  for (const endpoint of failing) {
    if (!verdictOn(endpoint, { now: endpoint.now, scale, isPaused: endpoint.isPaused })) continue;
    const ids = {
      endpoint: toId("endpoint", endpoint.endpointId),
      tenant: toId("tenant", endpoint.tenantId),
    };
    try {
      const verdict = await applyHealth(deps, endpoint);
      if (verdict) log.warn({ ...ids, ...verdict }, "acted on the health of an endpoint");
    } catch (err) {
      log.error({ err, ...ids }, "the health of an endpoint could not be acted on");
    }
  }
  return failing.length === LOOK_AT_ONCE ? failing.at(-1) : undefined;
}
