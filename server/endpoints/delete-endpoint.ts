import { toId } from "#contracts/ids.ts";
import { buryEndpoint, lockEndpoint } from "#db/queries/change-endpoint.ts";
import { forgetHealth } from "#db/queries/endpoint-health.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { checkVersion } from "../check-version.ts";
import type { Ctx } from "../context.ts";
import { announceEndpoint } from "../runtime/wake.ts";
import { cancelQueued } from "./cancel-queued.ts";
import type { EndpointChange } from "./change-endpoint.ts";
import { toEndpoint } from "./to-endpoint.ts";

/**
 * Deletes an endpoint: its queued deliveries are cancelled, what was sealed of it is destroyed, a tombstone stays. Nothing
 * happens when it has been deleted already.
 */
export function deleteEndpoint(ctx: Ctx, { id, expectedVersions }: EndpointChange): Promise<void> {
  const { tenantId } = ctx;
  return ctx.transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    const current = await lockEndpoint(tx, tenantId, id);
    if (!current) return;
    checkVersion(expectedVersions, current.version);
    await buryEndpoint(tx, tenantId, id, ctx.now());
    await forgetHealth(tx, { tenantId, endpointId: id });
    await cancelQueued(tx, ctx.boss, { tenantId, endpointId: id });
    await announceEndpoint(tx, id);
    await appendAudit(tx, ctx, {
      action: "webhook_endpoint.delete",
      target: toId("endpoint", id),
      before: toEndpoint(current),
    });
  });
}
