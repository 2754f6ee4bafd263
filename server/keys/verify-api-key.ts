import { timingSafeEqual } from "node:crypto";
import { API_KEY_SCOPES, type Scope } from "#contracts/scopes.ts";
import type { Actor, Services } from "../context.ts";
import { parseApiKey } from "../domain/api-key.ts";

const NO_HASH = Buffer.alloc(32);
const SCOPES = new Set<string>(API_KEY_SCOPES);

export interface Holder<Kind extends Actor["kind"]> {
  tenantId: string;
  /** The tenant's own limits, in units per second. */
  rates: { requests: number | null; events: number | null };
  actor: Extract<Actor, { kind: Kind }>;
}

type Deps = Pick<Services, "keyReader" | "keyUsage" | "now">;

/**
 * Who holds the key; `undefined` alike for one that is malformed, unknown, wrong, revoked or expired.
 * Asks the database each time, so that revoking a key takes effect at once.
 */
export async function verifyApiKey(deps: Deps, text: string): Promise<Holder<"key"> | undefined> {
  const parts = parseApiKey(text);
  if (!parts) return undefined;
  const row = await deps.keyReader.find(parts.publicId);
  const matches = timingSafeEqual(row?.secretHash ?? NO_HASH, parts.secretHash);
  const now = deps.now();
  if (!row || !matches || row.revokedAt || (row.expiresAt && row.expiresAt <= now)) return undefined;
  deps.keyUsage.note({ kind: "key", ...row }, now);
  const scopes = new Set(row.scopes.filter((scope): scope is Scope => SCOPES.has(scope)));
  return {
    tenantId: row.tenantId,
    rates: { requests: row.requestRate, events: row.eventRate },
    actor: { kind: "key", keyId: row.id, principalId: row.principalId, scopes },
  };
}
