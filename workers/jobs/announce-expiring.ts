import { toId } from "#contracts/ids.ts";
import type { OperationalEvent } from "#contracts/operational-events.ts";
import { type Db, withTransaction } from "#db/client.ts";
import { markExpiringSecrets, tenantWithExpiringSecret } from "#db/queries/expiring-secrets.ts";
import type { EmitDeps } from "#server/events/emit-events.ts";
import { storeOperational } from "#server/events/store-operational.ts";

const AHEAD_SECONDS = 86_400;
const ANNOUNCE_AT_ONCE = 100;

/**
 * Tells of the signing keys of one tenant that expire within a day, each once: an event of the tenant. Gives whether there
 * was any. The mark and the event are one transaction, so that several workers tell it once between them.
 */
export function announceExpiring(deps: EmitDeps & { db: Db }): Promise<boolean> {
  return withTransaction(deps.db, async (tx) => {
    const tenantId = await tenantWithExpiringSecret(tx, AHEAD_SECONDS);
    if (tenantId === undefined) return false;
    const secrets = await markExpiringSecrets(tx, {
      tenantId,
      withinSeconds: AHEAD_SECONDS,
      limit: ANNOUNCE_AT_ONCE,
    });
    const events = secrets.map(
      ({ endpointId, url, kid, expiresAt }): OperationalEvent => ({
        type: "posthorn.secret.expiring",
        data: { endpoint_id: toId("endpoint", endpointId), url, kid, expires_at: expiresAt.toISOString() },
      }),
    );
    if (events.length > 0) await storeOperational(tx, deps, tenantId, events);
    return secrets.length > 0;
  });
}
