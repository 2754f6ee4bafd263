import { uuidv7 } from "uuidv7";
import type { EndpointStatus } from "#contracts/endpoints.ts";
import { toId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { setEndpointStatus as storeStatus } from "#db/queries/change-endpoint.ts";
import type { EndpointRow } from "#db/queries/endpoints.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { emitEvents } from "../events/emit-events.ts";
import { within } from "../queue/boss.ts";
import { type EndpointJob, QUEUES } from "../queue/queues.ts";
import { announceEndpoint } from "../runtime/wake.ts";
import { beginAnew } from "./begin-anew.ts";
import { cancelQueued } from "./cancel-queued.ts";
import { changeEndpoint, type EndpointChange } from "./change-endpoint.ts";

const ACTIONS: Record<EndpointStatus, string> = {
  enabled: "webhook_endpoint.enable",
  disabled: "webhook_endpoint.disable",
  paused: "webhook_endpoint.pause",
};

/**
 * Enables, disables or pauses an endpoint, from whatever state it is in; nothing happens when it is in that state already.
 * Disabling cancels what is queued. Enabling sends a `Ping` to this endpoint alone, releases what was held, and forgets how
 * the endpoint fared before.
 */
export function setEndpointStatus(
  ctx: Ctx,
  of: EndpointChange,
  status: EndpointStatus,
): Promise<EndpointRow> {
  const endpoint = { tenantId: ctx.tenantId, endpointId: of.id };
  return changeEndpoint(ctx, of, async (tx, current) => {
    if (current.status === status) return current;
    const changed = await storeStatus(tx, ctx.tenantId, { id: of.id, status, at: ctx.now() });
    await announceEndpoint(tx, of.id);
    await appendAudit(tx, ctx, {
      action: ACTIONS[status],
      target: toId("endpoint", of.id),
      before: { status: current.status, disabled_reason: current.disabledReason },
      after: { status },
    });
    if (status === "disabled") await cancelQueued(tx, ctx.boss, endpoint);
    if (status === "enabled") {
      await beginAnew(tx, endpoint);
      await open(tx, ctx, endpoint);
    }
    return changed;
  });
}

async function open(tx: Tx, ctx: Ctx, endpoint: EndpointJob): Promise<void> {
  await ctx.boss.insert(QUEUES.releaseHeld.name, [{ data: endpoint }], within(tx));
  const onlyTo = { endpointId: endpoint.endpointId, deliveryId: uuidv7() };
  await emitEvents(tx, ctx, ctx.tenantId, [{ type: "Ping", data: "{}", onlyTo }]);
}
