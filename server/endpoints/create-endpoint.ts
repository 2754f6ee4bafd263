import { randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { NewEndpoint } from "#contracts/endpoints.ts";
import {
  countEndpoints,
  type EndpointRow,
  insertEndpoint,
  insertEndpointSecret,
} from "#db/queries/endpoints.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { secretIdentity } from "../crypto/identities.ts";
import { checkEndpointUrl } from "../domain/endpoint-url.ts";
import { isSecret, newSecret } from "../domain/signing.ts";
import { AppError, validationError } from "../errors.ts";
import { toEndpoint } from "./to-endpoint.ts";

const MAX_ENDPOINTS = 100;
const FIRST_KEY_ID = "v1";

export interface CreatedEndpoint {
  endpoint: EndpointRow;
  /** Shown this once: it is stored sealed. */
  secret: string;
  secretKeyId: string;
}

/** Registers an endpoint with its first signing secret. */
export async function createEndpoint(ctx: Ctx, input: NewEndpoint): Promise<CreatedEndpoint> {
  const { tenantId } = ctx;
  const url = checkedUrl(ctx, input.url);
  if (input.secret !== undefined && !isSecret(input.secret))
    throw invalid("#/secret", "must be whsec_ and the base64 of 24 to 64 bytes");
  const secret = input.secret ?? newSecret(randomBytes);

  return ctx.transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    if ((await countEndpoints(tx, tenantId)) >= MAX_ENDPOINTS)
      throw invalid("#", `A tenant has at most ${MAX_ENDPOINTS} webhook endpoints.`);
    const createdAt = ctx.now();
    const endpoint = await insertEndpoint(tx, tenantId, {
      id: uuidv7(),
      url,
      description: input.description ?? null,
      eventTypes: input.event_types,
      signatureFormat: input.signature_format,
      timeoutMs: input.timeout_ms,
      maxInFlight: input.max_in_flight,
      createdAt,
    });
    const row = { tenantId, endpointId: endpoint.id, kid: FIRST_KEY_ID };
    const sealed = ctx.keyring.seal(secret, secretIdentity(tenantId, endpoint.id, FIRST_KEY_ID));
    await insertEndpointSecret(tx, { ...row, sealed, createdAt });
    const shown = toEndpoint(endpoint);
    await appendAudit(tx, ctx, { action: "webhook_endpoint.create", target: shown.id, after: shown });
    return { endpoint, secret, secretKeyId: FIRST_KEY_ID };
  });
}

function checkedUrl(ctx: Ctx, url: string): string {
  const checked = checkEndpointUrl(url, ctx.addressPolicy, new URL(ctx.origin).host);
  if (checked.ok) return checked.href;
  const issues = [{ detail: checked.reason, pointer: "#/url" }];
  throw new AppError("endpoint-url-rejected", checked.reason, { issues });
}

const invalid = (pointer: string, detail: string) => validationError([{ detail, pointer }]);
