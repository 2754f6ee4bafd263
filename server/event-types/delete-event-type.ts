import { deleteEventType as deleteRow, type EventTypeRow, findEventType } from "#db/queries/event-types.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { checkVersion } from "../check-version.ts";
import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import { refuseBuiltIn } from "./refuse-built-in.ts";
import { audited } from "./to-event-type.ts";

/**
 * Takes a type out of the catalogue. 409 for a built-in one, 404 when somebody else was first, 412 when its version is not
 * among those expected.
 */
export async function deleteEventType(
  ctx: Ctx,
  { name }: EventTypeRow,
  expectedVersions: readonly string[] | null,
): Promise<void> {
  refuseBuiltIn(name);
  await ctx.transaction(async (tx) => {
    await lockTenant(tx, ctx.tenantId);
    const before = await findEventType(tx, ctx.tenantId, name);
    if (!before) throw notFound();
    checkVersion(expectedVersions, before.version);
    await deleteRow(tx, ctx.tenantId, name);
    await appendAudit(tx, ctx, { action: "event_type.delete", target: name, before: audited(before) });
  });
}
