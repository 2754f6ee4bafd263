import type { Tx } from "../client.ts";

// The words of the partial index `endpoint_secrets_expiring`.
const UNANNOUNCED = "s.expires_at is not null and s.revoked_at is null and s.expiry_announced_at is null";
const EXPIRING = (seconds: number) =>
  `${UNANNOUNCED} and s.expires_at > now() and s.expires_at <= now() + make_interval(secs => $${seconds})`;

/** A tenant that has a signing key which expires within so many seconds and of which nobody has been told. */
export async function tenantWithExpiringSecret(tx: Tx, withinSeconds: number): Promise<string | undefined> {
  const [row] = await tx.query<{ tenantId: string }>(
    `select s.tenant_id as "tenantId" from endpoint_secrets s where ${EXPIRING(1)} order by s.expires_at limit 1`,
    [withinSeconds],
  );
  return row?.tenantId;
}

export interface ExpiringSecret extends Record<string, unknown> {
  endpointId: string;
  url: string;
  kid: string;
  expiresAt: Date;
}

/** Marks up to `limit` such keys of a tenant as announced, and gives them; those that somebody else is marking are left to him. */
export function markExpiringSecrets(
  tx: Tx,
  of: { tenantId: string; withinSeconds: number; limit: number },
): Promise<ExpiringSecret[]> {
  return tx.query(
    `with expiring as (
       select s.endpoint_id, s.kid from endpoint_secrets s
        where s.tenant_id = $1 and ${EXPIRING(2)}
        order by s.expires_at limit $3 for update skip locked
     )
     update endpoint_secrets s set expiry_announced_at = now()
       from expiring, webhook_endpoints w
      where s.tenant_id = $1 and s.endpoint_id = expiring.endpoint_id and s.kid = expiring.kid
        and w.tenant_id = $1 and w.id = s.endpoint_id
     returning s.endpoint_id as "endpointId", w.url, s.kid, s.expires_at as "expiresAt"`,
    [of.tenantId, of.withinSeconds, of.limit],
  );
}
