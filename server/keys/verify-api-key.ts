import type { Actor, Services } from "../context.ts";

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
  const key = await deps.keyReader.find(text);
  const now = deps.now();
  if (!key || key.row.revokedAt || (key.row.expiresAt && key.row.expiresAt <= now)) return undefined;
  const { row, scopes } = key;
  deps.keyUsage.note({ kind: "key", ...row }, now);
  return {
    tenantId: row.tenantId,
    rates: { requests: row.requestRate, events: row.eventRate },
    actor: { kind: "key", keyId: row.id, principalId: row.principalId, scopes },
  };
}
