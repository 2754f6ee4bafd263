import { toId } from "#contracts/ids.ts";
import { touchEndpoint } from "#db/queries/change-endpoint.ts";
import { endEndpointSecret, listEndpointSecrets } from "#db/queries/endpoint-secrets.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { secretStates } from "../domain/endpoint-secrets.ts";
import { AppError, notFound } from "../errors.ts";
import { announceEndpoint } from "../runtime/wake.ts";
import { changeEndpoint } from "./change-endpoint.ts";

/**
 * Ends a signing key now; nothing happens when it is revoked already. Throws `not-found` when there never was such a key,
 * `state-conflict` for the current one: an endpoint always has a key that signs, and it is always the newest.
 */
export function revokeSecret(ctx: Ctx, endpointId: string, kid: string): Promise<void> {
  const { tenantId } = ctx;
  return changeEndpoint(ctx, { id: endpointId, expectedVersions: null }, async (tx) => {
    const secrets = await listEndpointSecrets(tx, tenantId, endpointId);
    const now = ctx.now();
    const state = secretStates(secrets, now)[secrets.findIndex((secret) => secret.kid === kid)];
    if (state === undefined) throw notFound();
    if (state === "revoked") return;
    if (state === "current")
      throw new AppError("state-conflict", "The current key cannot be revoked: rotate first.", {
        members: { state },
      });
    await endEndpointSecret(tx, { tenantId, endpointId, kid, revokedAt: now });
    await touchEndpoint(tx, tenantId, endpointId, now);
    await announceEndpoint(tx, endpointId);
    await appendAudit(tx, ctx, {
      action: "webhook_endpoint.revoke_secret",
      target: toId("endpoint", endpointId),
      before: { kid, state },
      after: { kid, state: "revoked" },
    });
  });
}
