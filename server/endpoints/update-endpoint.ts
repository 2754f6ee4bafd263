import { isDeepStrictEqual } from "node:util";
import { type Endpoint, type EndpointPatch, EndpointSettings } from "#contracts/endpoints.ts";
import { updateEndpoint as storeEndpoint } from "#db/queries/change-endpoint.ts";
import type { EndpointRow } from "#db/queries/endpoints.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { MASKED_VALUE } from "../domain/endpoint-headers.ts";
import { pointer } from "../domain/json-pointer.ts";
import { mergePatch } from "../domain/merge-patch.ts";
import { validationError } from "../errors.ts";
import { followOrdered } from "../ordered/look-now.ts";
import { announceEndpoint } from "../runtime/wake.ts";
import { beginAnew } from "./begin-anew.ts";
import { changeEndpoint, type EndpointChange } from "./change-endpoint.ts";
import { checkedUrl, checkSettings, openHeaders, toSettingsRow } from "./store-settings.ts";
import { toEndpoint, toSettings } from "./to-endpoint.ts";

/** Applies a merge patch to what a read shows of an endpoint; one that changes nothing leaves it as it is. */
export function updateEndpoint(ctx: Ctx, of: EndpointChange, patch: EndpointPatch): Promise<EndpointRow> {
  return changeEndpoint(ctx, of, async (tx, current) => {
    const shown = toSettings(current);
    const heldHeaders = openHeaders(ctx, of.id, current.sealedHeaders);
    const merged = parseMerged(mergePatch(shown, patch));
    const settings = {
      ...merged,
      // What has been taken once stays, whatever the rules for URLs have become.
      url: merged.url === shown.url ? shown.url : checkedUrl(ctx, merged.url),
      headers: unmasked(merged.headers, heldHeaders),
    };
    checkSettings(settings);
    if (isDeepStrictEqual(settings, { ...shown, headers: heldHeaders })) return current;

    const row = toSettingsRow(ctx, of.id, settings, current);
    const changed = await storeEndpoint(tx, ctx.tenantId, { id: of.id, settings: row, at: ctx.now() });
    // Another address has failed nobody yet.
    if (settings.url !== shown.url) await beginAnew(tx, { tenantId: ctx.tenantId, endpointId: of.id });
    if (settings.ordered !== shown.ordered)
      await followOrdered(tx, ctx.boss, { tenantId: ctx.tenantId, endpointId: of.id });
    await announceEndpoint(tx, of.id);
    const replaced = Object.keys(heldHeaders).filter(
      (name) => name in settings.headers && settings.headers[name] !== heldHeaders[name],
    );
    const { before, after } = difference(toEndpoint(current), toEndpoint(changed));
    await appendAudit(tx, ctx, {
      action: "webhook_endpoint.update",
      target: toEndpoint(changed).id,
      before,
      after: replaced.length > 0 ? { ...after, replaced_headers: replaced } : after,
    });
    return changed;
  });
}

function parseMerged(merged: unknown): EndpointSettings {
  const parsed = EndpointSettings.safeParse(merged);
  if (parsed.success) return parsed.data;
  throw validationError(
    parsed.error.issues.map(({ message, path }) => ({ detail: message, pointer: pointer(path) })),
  );
}

/** A value that came back as it was shown stands for what it hides. */
function unmasked(
  headers: Readonly<Record<string, string>>,
  held: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === MASKED_VALUE && Object.hasOwn(held, name) ? (held[name] ?? value) : value,
    ]),
  );
}

/** The members that are another than before. */
function difference(before: Endpoint, after: Endpoint): { before: object; after: object } {
  const names = (Object.keys(after) as (keyof Endpoint)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const only = (of: Endpoint) => Object.fromEntries(names.map((name) => [name, of[name]]));
  return { before: only(before), after: only(after) };
}
