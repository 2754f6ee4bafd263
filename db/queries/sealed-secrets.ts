import type { Conn, Tx } from "../client.ts";

/** What is sealed: of an endpoint a signing secret, its further request headers, or its ed25519 key; of staff what an authenticator app knows. */
export interface SealedValue extends Record<string, unknown> {
  part: "secret" | "headers" | "signing_key" | "two_factor";
  /** Zeros where it is of staff. */
  tenantId: string;
  /** Or the user it is of. */
  endpointId: string;
  /** Of a signing secret, else empty. */
  kid: string;
  sealed: string;
}

// Every place that holds something sealed for as long as there is the row; each has its line in `REPLACE` too.
const SEALED = `
  select 'secret' as part, tenant_id, endpoint_id, kid, sealed from endpoint_secrets
  union all select 'headers', tenant_id, id, '', sealed_headers from webhook_endpoints where sealed_headers is not null
  union all select 'signing_key', tenant_id, id, '', sealed_signing_key from webhook_endpoints
             where sealed_signing_key is not null
  union all select 'two_factor', '00000000-0000-0000-0000-000000000000', user_id::uuid, '', secret from staff_two_factors`;
const KEY_ID = "split_part(sealed, '.', 2)";
const COLUMNS = `part, tenant_id as "tenantId", endpoint_id as "endpointId", kid, sealed`;

const REPLACE: Record<SealedValue["part"], string> = {
  secret:
    "update endpoint_secrets set sealed = $5 where tenant_id = $1 and endpoint_id = $2 and kid = $3 and sealed = $4",
  headers: `update webhook_endpoints set sealed_headers = $5
             where tenant_id = $1 and id = $2 and $3 = '' and sealed_headers = $4`,
  signing_key: `update webhook_endpoints set sealed_signing_key = $5
                 where tenant_id = $1 and id = $2 and $3 = '' and sealed_signing_key = $4`,
  two_factor: `update staff_two_factors set secret = $5
                where $1::uuid is not null and user_id = $2::text and $3 = '' and secret = $4`,
};

/** The values that one root key has sealed: how many, and one of them to try the key on. */
export interface SealedBy extends SealedValue {
  /** Id of the root key, which a sealed text names in clear. */
  keyId: string;
  count: number;
}

/** Which root keys the stored values need, with one value of each. Reads all of them. */
export function listSealedBy(conn: Conn): Promise<SealedBy[]> {
  return conn.query(
    `select distinct on ("keyId") ${KEY_ID} as "keyId", count(*) over (partition by ${KEY_ID})::int as count, ${COLUMNS}
       from (${SEALED}) as sealed_values
      order by "keyId", endpoint_id desc, kid desc`,
  );
}

/** Up to `limit` values after `after` that another root key than `keyId` has sealed. */
export function listSealedByOthers(
  conn: Conn,
  query: { keyId: string; after: SealedValue | undefined; limit: number },
): Promise<SealedValue[]> {
  const { keyId, after, limit } = query;
  return conn.query(
    `select ${COLUMNS} from (${SEALED}) as sealed_values
      where ${KEY_ID} <> $1
        and ($2::uuid is null or (tenant_id, endpoint_id, part, kid) > ($2::uuid, $3::uuid, $4::text, $5::text))
      order by tenant_id, endpoint_id, part, kid limit $6`,
    [keyId, after?.tenantId, after?.endpointId, after?.part, after?.kid, limit],
  );
}

/** Stores a value sealed anew, unless it has become another meanwhile; then it stays as it is. */
export async function replaceSealed(tx: Tx, value: SealedValue, sealed: string): Promise<void> {
  const { part, tenantId, endpointId, kid } = value;
  await tx.query(REPLACE[part], [tenantId, endpointId, kid, value.sealed, sealed]);
}
