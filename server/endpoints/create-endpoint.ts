import { randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { NewEndpoint } from "#contracts/endpoints.ts";
import { insertEndpointSecret } from "#db/queries/endpoint-secrets.ts";
import { countEndpoints, type EndpointRow, insertEndpoint } from "#db/queries/endpoints.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { secretIdentity } from "../crypto/identities.ts";
import { nextKeyId } from "../domain/endpoint-secrets.ts";
import { newSecret } from "../domain/signing.ts";
import { validationError } from "../errors.ts";
import { checkSecret } from "./check-secret.ts";
import { checkedUrl, checkSettings, toSettingsRow } from "./store-settings.ts";
import { toEndpoint } from "./to-endpoint.ts";

const MAX_ENDPOINTS = 100;
const NO_KEY = { sealedSigningKey: null, publicKey: null };

export interface CreatedEndpoint {
  endpoint: EndpointRow;
  /** Shown this once: it is stored sealed. */
  secret: string;
  secretKeyId: string;
}

/** Registers an endpoint with its first signing secret. */
export async function createEndpoint(ctx: Ctx, input: NewEndpoint): Promise<CreatedEndpoint> {
  const { tenantId } = ctx;
  const { secret: chosen, ...wanted } = input;
  const settings = { ...wanted, url: checkedUrl(ctx, wanted.url) };
  checkSettings(settings);
  checkSecret(chosen);
  const secret = chosen ?? newSecret(randomBytes);

  return ctx.transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    if ((await countEndpoints(tx, tenantId)) >= MAX_ENDPOINTS)
      throw validationError([
        { detail: `A tenant has at most ${MAX_ENDPOINTS} webhook endpoints.`, pointer: "#" },
      ]);
    const createdAt = ctx.now();
    const id = uuidv7();
    const row = toSettingsRow(ctx, id, settings, NO_KEY);
    const endpoint = await insertEndpoint(tx, tenantId, { ...row, id, createdAt });
    const kid = nextKeyId([]);
    const sealed = ctx.keyring.seal(secret, secretIdentity(tenantId, id, kid));
    await insertEndpointSecret(tx, { tenantId, endpointId: id, kid, sealed, createdAt });
    const shown = toEndpoint(endpoint);
    await appendAudit(tx, ctx, { action: "webhook_endpoint.create", target: shown.id, after: shown });
    return { endpoint, secret, secretKeyId: kid };
  });
}
