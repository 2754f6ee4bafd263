import type { Conn, Tx } from "../client.ts";

/** A signing secret without its value. */
export interface EndpointSecretRow extends Record<string, unknown> {
  kid: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** `v10` is newer than `v9`: the numbers in key ids grow. The one order that says which key is the newest. */
export const NEWEST_SECRET_FIRST = "length(s.kid) desc, s.kid desc";

export async function insertEndpointSecret(
  tx: Tx,
  secret: { tenantId: string; endpointId: string; kid: string; sealed: string; createdAt: Date },
): Promise<void> {
  await tx.query(
    `insert into endpoint_secrets (tenant_id, endpoint_id, kid, sealed, created_at) values ($1, $2, $3, $4, $5)`,
    [secret.tenantId, secret.endpointId, secret.kid, secret.sealed, secret.createdAt],
  );
}

/** The secrets of an endpoint, the newest first. */
export function listEndpointSecrets(
  conn: Conn,
  tenantId: string,
  endpointId: string,
): Promise<EndpointSecretRow[]> {
  return conn.query(
    `select kid, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"
       from endpoint_secrets s where tenant_id = $1 and endpoint_id = $2 order by ${NEWEST_SECRET_FIRST}`,
    [tenantId, endpointId],
  );
}

/** When keys end, by expiry or because somebody ends them. */
export async function endEndpointSecret(
  tx: Tx,
  secret: { tenantId: string; endpointId: string; kid: string; expiresAt?: Date; revokedAt?: Date },
): Promise<void> {
  await tx.query(
    `update endpoint_secrets set expires_at = coalesce($4, expires_at), revoked_at = coalesce($5, revoked_at)
      where tenant_id = $1 and endpoint_id = $2 and kid = $3`,
    [secret.tenantId, secret.endpointId, secret.kid, secret.expiresAt ?? null, secret.revokedAt ?? null],
  );
}

/** Forgets keys that have ended. */
export async function deleteEndpointSecrets(
  tx: Tx,
  secrets: { tenantId: string; endpointId: string; kids: readonly string[] },
): Promise<void> {
  await tx.query("delete from endpoint_secrets where tenant_id = $1 and endpoint_id = $2 and kid = any($3)", [
    secrets.tenantId,
    secrets.endpointId,
    secrets.kids,
  ]);
}
