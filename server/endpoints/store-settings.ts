import { randomBytes } from "node:crypto";
import type { EndpointSettings } from "#contracts/endpoints.ts";
import type { SettingsRow } from "#db/queries/endpoints.ts";
import type { Ctx } from "../context.ts";
import { headersIdentity, signingKeyIdentity } from "../crypto/identities.ts";
import { newAsymmetricKeyPair } from "../domain/asymmetric-key.ts";
import { headerDefects } from "../domain/endpoint-headers.ts";
import { checkEndpointUrl } from "../domain/endpoint-url.ts";
import { parseFilter } from "../domain/filter.ts";
import { pointer } from "../domain/json-pointer.ts";
import { AppError, type Issue, validationError } from "../errors.ts";

/** The ed25519 key that an endpoint has already. */
type SigningKeyPair = Pick<SettingsRow, "sealedSigningKey" | "publicKey">;

/** The URL as it is kept. Throws `endpoint-url-rejected`. */
export function checkedUrl(ctx: Ctx, url: string): string {
  const checked = checkEndpointUrl(url, ctx.addressPolicy, new URL(ctx.origin).host);
  if (checked.ok) return checked.href;
  const issues = [{ detail: checked.reason, pointer: "#/url" }];
  throw new AppError("endpoint-url-rejected", checked.reason, { issues });
}

/** Throws `validation-error` with a pointer to each defect that the schema cannot tell of. */
export function checkSettings({ headers, filter }: Pick<EndpointSettings, "headers" | "filter">): void {
  const parsed = filter === null ? null : parseFilter(filter);
  const issues: Issue[] = [
    ...headerDefects(headers).map(({ name, reason }) => ({
      detail: reason,
      pointer: pointer(name === undefined ? ["headers"] : ["headers", name]),
    })),
    ...(parsed === null || parsed.ok ? [] : parsed.issues),
  ];
  if (issues.length > 0) throw validationError(issues);
}

/** Checked settings as they are stored: what is secret sealed to this endpoint. `headers` holds the real values. */
export function toSettingsRow(
  ctx: Ctx,
  endpointId: string,
  settings: EndpointSettings,
  kept: SigningKeyPair,
): SettingsRow {
  return {
    url: settings.url,
    description: settings.description,
    eventTypes: settings.event_types,
    filter: settings.filter,
    signatureFormat: settings.signature_format,
    timeoutMs: settings.timeout_ms,
    maxInFlight: settings.max_in_flight,
    rateLimit: settings.rate_limit,
    ordered: settings.ordered,
    metadata: settings.metadata,
    retryPolicy: settings.retry_policy,
    ...sealHeaders(ctx, endpointId, settings.headers),
    ...signingKey(ctx, endpointId, settings.asymmetric, kept),
  };
}

/** The further request headers of an endpoint, with their values. */
export function openHeaders(
  ctx: Pick<Ctx, "keyring" | "tenantId">,
  endpointId: string,
  sealed: string | null,
): Record<string, string> {
  if (sealed === null) return {};
  return JSON.parse(ctx.keyring.open(sealed, headersIdentity(ctx.tenantId, endpointId)));
}

function sealHeaders(ctx: Ctx, endpointId: string, headers: Record<string, string>) {
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { sealedHeaders: null, headerNames };
  const identity = headersIdentity(ctx.tenantId, endpointId);
  return { sealedHeaders: ctx.keyring.seal(JSON.stringify(headers), identity), headerNames };
}

/** A key pair made when it is switched on, and destroyed when it is switched off. */
function signingKey(ctx: Ctx, endpointId: string, asymmetric: boolean, kept: SigningKeyPair) {
  if (!asymmetric) return { sealedSigningKey: null, publicKey: null };
  if (kept.sealedSigningKey !== null && kept.publicKey !== null)
    return { sealedSigningKey: kept.sealedSigningKey, publicKey: kept.publicKey };
  const { privateKey, publicKey } = newAsymmetricKeyPair(randomBytes);
  const identity = signingKeyIdentity(ctx.tenantId, endpointId);
  return { sealedSigningKey: ctx.keyring.seal(privateKey, identity), publicKey };
}
