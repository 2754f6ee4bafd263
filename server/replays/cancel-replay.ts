import { toId } from "#contracts/ids.ts";
import type { Replay } from "#contracts/replays.ts";
import { endReplay, findReplay, type ReplayRow } from "#db/queries/replays.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { AppError, notFound } from "../errors.ts";
import { toReplay } from "./to-replay.ts";

/** Stops a replay before it puts back anything more. Throws `state-conflict` once it has ended. */
export function cancelReplay(ctx: Ctx, { id }: ReplayRow): Promise<Replay> {
  const { tenantId } = ctx;
  return ctx.transaction(async (tx) => {
    const cancelled = await endReplay(tx, tenantId, { id, status: "cancelled", at: ctx.now() });
    if (!cancelled) {
      const current = await findReplay(tx, tenantId, id);
      if (!current) throw notFound();
      const { status, links } = toReplay(current, ctx);
      throw new AppError("state-conflict", `The replay has ended: it is ${status}.`, {
        members: { state: status, links },
      });
    }
    const shown = toReplay(cancelled, ctx);
    const { status, total, done } = shown;
    await appendAudit(tx, ctx, {
      action: "replay.cancel",
      target: toId("replay", id),
      after: { status, total, done },
    });
    return shown;
  });
}
