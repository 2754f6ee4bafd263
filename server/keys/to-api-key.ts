import { toId } from "#contracts/ids.ts";
import type { ApiKey } from "#contracts/keys.ts";
import type { KeyRecord } from "#db/queries/keys.ts";
import { shownPart } from "../domain/api-key.ts";

/** What has become of a key by now. */
export function keyState(key: Pick<KeyRecord, "revokedAt" | "expiresAt">, now: Date): ApiKey["state"] {
  if (key.revokedAt) return "revoked";
  return key.expiresAt && key.expiresAt <= now ? "expired" : "active";
}

/** A key as answers, the command line and the audit log show it. */
export function toApiKey(key: KeyRecord, now: Date): ApiKey {
  return {
    id: toId("apiKey", key.id),
    name: key.name,
    prefix: shownPart(key.publicId),
    scopes: key.scopes as ApiKey["scopes"],
    state: keyState(key, now),
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
