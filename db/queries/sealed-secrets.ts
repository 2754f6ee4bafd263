import type { Conn } from "../client.ts";

/** The secrets that one root key has sealed: how many, and one of them to try the key on. */
export interface SealedBy extends Record<string, unknown> {
  /** Id of the root key, which a sealed text names in clear. */
  keyId: string;
  count: number;
  tenantId: string;
  endpointId: string;
  kid: string;
  sealed: string;
}

/** Which root keys the stored signing secrets need, with the newest secret of each. Reads all of them. */
export function listSealedBy(conn: Conn): Promise<SealedBy[]> {
  return conn.query(
    `select distinct on ("keyId") "keyId", count(*) over (partition by "keyId")::int as count,
            tenant_id as "tenantId", endpoint_id as "endpointId", kid, sealed
       from (select split_part(sealed, '.', 2) as "keyId", * from endpoint_secrets) as secrets
      order by "keyId", created_at desc`,
  );
}
