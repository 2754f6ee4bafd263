import { portalScopes } from "#contracts/portal-links.ts";
import { findByToken, type TokenRow } from "#db/queries/portal-links.ts";
import type { Services } from "../context.ts";
import { hashPortalToken } from "../domain/portal-token.ts";
import type { Holder } from "../keys/verify-api-key.ts";

type Deps = Pick<Services, "db" | "keyUsage" | "now">;

/**
 * Whom a token lets in; `undefined` alike for one that is malformed, unknown, revoked or expired.
 * Asks the database each time, so that revoking a link takes effect at once.
 */
export async function verifyPortalToken(deps: Deps, text: string): Promise<Holder<"portal"> | undefined> {
  const row = await findValidLink(deps, text);
  if (!row) return undefined;
  const { tenantId, id, access } = row;
  deps.keyUsage.note({ kind: "portal", ...row }, deps.now());
  return {
    tenantId,
    rates: { requests: row.requestRate, events: row.eventRate },
    actor: {
      kind: "portal",
      linkId: id,
      principalId: `portal:${id}`,
      scopes: new Set(portalScopes(access)),
    },
  };
}

/** The link that a token is of, while it holds. */
export async function findValidLink(
  { db, now }: Pick<Deps, "db" | "now">,
  text: string,
): Promise<TokenRow | undefined> {
  const hash = hashPortalToken(text);
  const row = hash && (await findByToken(db, hash));
  return row && !row.revokedAt && row.expiresAt > now() ? row : undefined;
}
