import type { Tx } from "#db/client.ts";
import { type LockedEndpoint, lockEndpoint } from "#db/queries/change-endpoint.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import { checkVersion } from "../check-version.ts";
import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";

/** The endpoint of a change, and what If-Match expects of its version. */
export interface EndpointChange {
  /** Plain UUID. */
  id: string;
  expectedVersions: readonly string[] | null;
}

/**
 * Runs `change` in one transaction on an endpoint that nobody else changes meanwhile. Throws `not-found` when it has been
 * deleted, `precondition-failed` when its version is not among those expected.
 */
export function changeEndpoint<T>(
  ctx: Ctx,
  { id, expectedVersions }: EndpointChange,
  change: (tx: Tx, current: LockedEndpoint) => Promise<T>,
): Promise<T> {
  return ctx.transaction(async (tx) => {
    await lockTenant(tx, ctx.tenantId);
    const current = await lockEndpoint(tx, ctx.tenantId, id);
    if (!current) throw notFound();
    checkVersion(expectedVersions, current.version);
    return change(tx, current);
  });
}
