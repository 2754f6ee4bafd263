import { uuidv7 } from "uuidv7";
import type { Delivery } from "#contracts/deliveries.ts";
import { toId } from "#contracts/ids.ts";
import { isOperational, OPERATIONAL_PREFIX, OPERATIONAL_TYPES } from "#contracts/operational-events.ts";
import type { Tx } from "#db/client.ts";
import { getDelivery } from "#db/queries/deliveries.ts";
import { findEndpoint } from "#db/queries/endpoints.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { toDelivery } from "../deliveries/to-delivery.ts";
import { AppError, notFound, validationError } from "../errors.ts";
import { findEventType } from "../event-types/find-event-type.ts";
import { readDataChecks } from "../events/data-checks.ts";
import { emitEvents } from "../events/emit-events.ts";

/** An event to try an endpoint with; `data` is JSON text of an object. */
export interface TestEventInput {
  type: string;
  data: string | undefined;
}

/**
 * Stores an event that this endpoint alone gets, whatever it subscribes to and although it may be paused; gives its delivery.
 * It is an event like any other: numbered, held to the schema of its type, and in the feed. Throws `state-conflict` when the
 * endpoint is disabled, `validation-error` when the data does not fit, and for a name that is Posthorn's own and no type.
 */
export function sendTestEvent(ctx: Ctx, endpointId: string, input: TestEventInput): Promise<Delivery> {
  const { tenantId } = ctx;
  return ctx.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, tenantId, endpointId);
    if (!endpoint) throw notFound();
    if (endpoint.status === "disabled")
      throw new AppError("state-conflict", "The endpoint is disabled, so nothing can be sent to it.", {
        members: { state: endpoint.status },
      });
    const { type } = input;
    if (isOperational(type) && !OPERATIONAL_TYPES.some((each) => each === type))
      throw validationError([{ detail: `must not begin with ${OPERATIONAL_PREFIX}`, pointer: "#/type" }]);
    const data = input.data ?? (await exampleOf(tx, tenantId, type));
    const refusal = (await readDataChecks(tx, tenantId, new Set([type])))(type, data, ["data"]);
    if (refusal) throw refusal;
    const deliveryId = uuidv7();
    await appendAudit(tx, ctx, {
      action: "webhook_endpoint.test",
      target: toId("endpoint", endpointId),
      after: { type, delivery: toId("delivery", deliveryId) },
    });
    await emitEvents(tx, ctx, tenantId, [{ type, data, onlyTo: { endpointId, deliveryId } }]);
    // One look-up by key, while the tenant's counter is held.
    const delivery = await getDelivery(tx, tenantId, deliveryId);
    if (!delivery) throw new Error("the delivery was not stored");
    return toDelivery(delivery, ctx.prefix);
  });
}

async function exampleOf(tx: Tx, tenantId: string, type: string): Promise<string> {
  return (await findEventType(tx, tenantId, type))?.example ?? "{}";
}
