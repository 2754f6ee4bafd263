import { toId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { lockJobs } from "#db/queries/close-delivery.ts";
import type { EventRow } from "#db/queries/events.ts";
import {
  cancelPendingOfEvent,
  expungeAnswers,
  expungeAttempts,
  expungeEventRow,
  jobsOfEvent,
} from "#db/queries/expunging.ts";
import { closeTenantGate } from "#db/queries/retention-state.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { expungedBody } from "../domain/event-body.ts";
import { AppError } from "../errors.ts";
import { lookNow } from "../ordered/look-now.ts";
import { DELIVERY_QUEUE_NAMES } from "../queue/queues.ts";

/** How often deliveries may get other jobs while the event is expunged; each time takes a commit of somebody else's. */
const TRIES = 5;

/**
 * Erases what an event carries, wherever it is kept: the event keeps its place and loses its data and the hash of it, its
 * attempts lose what receivers have answered and the signatures, answers kept for idempotency lose it too. Deliveries that
 * wait are cancelled. Throws `state-conflict` while a request with the data is under way. Repeated, it changes nothing.
 */
export async function expungeEvent(ctx: Ctx, event: EventRow): Promise<void> {
  if (event.expungedAt) return;
  await ctx.transaction(async (tx) => {
    const { tenantId } = ctx;
    // Nobody sends again meanwhile what is cancelled here.
    await closeTenantGate(tx, tenantId);
    const endpoints = await cancelUnlessHeld(tx, tenantId, event.id);
    const at = ctx.now();
    const body = expungedBody(event, at);
    if (!(await expungeEventRow(tx, tenantId, { id: event.id, body, at }))) return;
    await expungeAttempts(tx, tenantId, event.id);
    await expungeAnswers(tx, tenantId, { ...event, body });
    // Those behind it in the queue of an ordered endpoint need not wait for its retry.
    for (const endpointId of new Set(endpoints)) await lookNow(tx, ctx.boss, { tenantId, endpointId });
    if (endpoints.length > 0) tx.afterCommit(ctx.wakeWorkers);
    await appendAudit(tx, ctx, {
      action: "event.expunge",
      target: toId("event", event.id),
      after: { expunged_at: at.toISOString(), deliveries_cancelled: endpoints.length },
    });
  });
}

/** Cancels what waits, as workers take it: jobs before deliveries. Gives the endpoint of each. */
async function cancelUnlessHeld(tx: Tx, tenantId: string, eventId: string): Promise<string[]> {
  const cancelled: string[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    const jobs = await jobsOfEvent(tx, tenantId, eventId);
    if (jobs.length === 0) return cancelled;
    if (await lockJobs(tx, DELIVERY_QUEUE_NAMES, jobs)) break;
    cancelled.push(...(await cancelPendingOfEvent(tx, { tenantId, eventId, jobIds: jobs })));
    if ((await jobsOfEvent(tx, tenantId, eventId)).length === 0) return cancelled;
  }
  throw new AppError(
    "state-conflict",
    "A delivery of the event is under way: it can be expunged once that request has ended.",
  );
}
