import type { EndpointSecret } from "#contracts/endpoint-secrets.ts";
import type { EndpointSecretRow } from "#db/queries/endpoint-secrets.ts";
import { secretStates } from "../domain/endpoint-secrets.ts";

/** The secrets of an endpoint, given newest first, as they are shown: never a value. */
export function toSecrets(rows: readonly EndpointSecretRow[], now: Date): EndpointSecret[] {
  const states = secretStates(rows, now);
  return rows.map((row, index) => ({
    kid: row.kid,
    state: states[index] ?? "expired",
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
  }));
}
