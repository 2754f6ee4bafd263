import { randomBytes } from "node:crypto";
import { MAX_VALID_SECRETS, type RotatedSecret, type SecretRotation } from "#contracts/endpoint-secrets.ts";
import { toId } from "#contracts/ids.ts";
import { touchEndpoint } from "#db/queries/change-endpoint.ts";
import {
  deleteEndpointSecrets,
  endEndpointSecret,
  insertEndpointSecret,
  listEndpointSecrets,
} from "#db/queries/endpoint-secrets.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { secretIdentity } from "../crypto/identities.ts";
import { isValidSecret, nextKeyId } from "../domain/endpoint-secrets.ts";
import { newSecret } from "../domain/signing.ts";
import { AppError } from "../errors.ts";
import { announceEndpoint } from "../runtime/wake.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import { checkSecret } from "./check-secret.ts";

/** Of the keys that have ended so many are remembered, the newest: an endpoint's list of keys stays short. */
const MAX_ENDED_SECRETS = 50;

/**
 * Gives an endpoint a new signing key, which is the current one from now on; the one before it stays valid for the overlap,
 * and older ones as long as they were to be. Throws `state-conflict` when there are too many valid ones.
 */
export async function rotateSecret(
  ctx: Ctx,
  endpointId: string,
  { overlap_seconds, secret: chosen }: SecretRotation,
): Promise<RotatedSecret> {
  const { tenantId } = ctx;
  checkSecret(chosen);
  const secret = chosen ?? newSecret(randomBytes);
  return changeEndpoint(ctx, { id: endpointId, expectedVersions: null }, async (tx, endpoint) => {
    const createdAt = ctx.now();
    const earlier = await listEndpointSecrets(tx, tenantId, endpointId);
    const valid = earlier.filter((each) => isValidSecret(each, createdAt));
    const lasting = overlap_seconds > 0 ? valid : valid.slice(1);
    if (lasting.length >= MAX_VALID_SECRETS)
      throw new AppError(
        "state-conflict",
        `${MAX_VALID_SECRETS} keys are valid already: revoke one, or wait until one expires.`,
        { members: { state: endpoint.status } },
      );
    const kid = nextKeyId(earlier.map((each) => each.kid));
    const sealed = ctx.keyring.seal(secret, secretIdentity(tenantId, endpointId, kid));
    await insertEndpointSecret(tx, { tenantId, endpointId, kid, sealed, createdAt });
    const [previous] = valid;
    const expiresAt = new Date(createdAt.getTime() + overlap_seconds * 1000);
    if (previous) await endEndpointSecret(tx, { tenantId, endpointId, kid: previous.kid, expiresAt });
    const ended = earlier.filter((each) => !isValidSecret(each, createdAt)).map((each) => each.kid);
    if (ended.length > MAX_ENDED_SECRETS)
      await deleteEndpointSecrets(tx, { tenantId, endpointId, kids: ended.slice(MAX_ENDED_SECRETS) });
    await touchEndpoint(tx, tenantId, endpointId, createdAt);
    await announceEndpoint(tx, endpointId);
    await appendAudit(tx, ctx, {
      action: "webhook_endpoint.rotate_secret",
      target: toId("endpoint", endpointId),
      before: { kid: previous?.kid ?? null },
      after: { kid, previous_expires_at: expiresAt.toISOString() },
    });
    const times = { created_at: createdAt.toISOString(), expires_at: null, revoked_at: null };
    return { kid, state: "current", ...times, secret };
  });
}
