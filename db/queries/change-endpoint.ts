import type { Conn, Tx } from "../client.ts";
import {
  ENDPOINT_COLUMNS,
  type EndpointRow,
  SETTINGS,
  SETTINGS_PARAMETERS,
  type SettingsRow,
  settingsValues,
} from "./endpoints.ts";

/** An endpoint that nobody else can change until the transaction ends, with what of it is sealed. */
export type LockedEndpoint = EndpointRow & Pick<SettingsRow, "sealedHeaders" | "sealedSigningKey">;

/** An endpoint that is not deleted, locked until the transaction ends. */
export async function lockEndpoint(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<LockedEndpoint | undefined> {
  const [row] = await tx.query<LockedEndpoint>(
    `select ${ENDPOINT_COLUMNS}, sealed_headers as "sealedHeaders", sealed_signing_key as "sealedSigningKey"
       from webhook_endpoints where tenant_id = $1 and id = $2 and deleted_at is null for update`,
    [tenantId, id],
  );
  return row;
}

/** Sets all that can be set of an endpoint; its version grows. */
export async function updateEndpoint(
  tx: Tx,
  tenantId: string,
  change: { id: string; settings: SettingsRow; at: Date },
): Promise<EndpointRow> {
  const [row] = await tx.query<EndpointRow>(
    `update webhook_endpoints set (${SETTINGS}) = row(${SETTINGS_PARAMETERS}), version = version + 1, updated_at = $18
      where tenant_id = $1 and id = $2 returning ${ENDPOINT_COLUMNS}`,
    [tenantId, change.id, ...settingsValues(change.settings), change.at],
  );
  if (!row) throw new Error("the endpoint is gone although it was locked");
  return row;
}

/** Sets the status; the version grows. `reason` is why Posthorn disables it by itself. */
export async function setEndpointStatus(
  tx: Tx,
  tenantId: string,
  change: { id: string; status: string; at: Date; reason?: string },
): Promise<EndpointRow> {
  const [row] = await tx.query<EndpointRow>(
    `update webhook_endpoints set status = $3, disabled_reason = $5, version = version + 1, updated_at = $4
      where tenant_id = $1 and id = $2 returning ${ENDPOINT_COLUMNS}`,
    [tenantId, change.id, change.status, change.at, change.reason ?? null],
  );
  if (!row) throw new Error("the endpoint is gone although it was locked");
  return row;
}

/** Lets those who keep something of the endpoint see that it is another: its version grows. */
export async function touchEndpoint(tx: Tx, tenantId: string, id: string, at: Date): Promise<void> {
  await tx.query(
    `update webhook_endpoints set version = version + 1, updated_at = $3 where tenant_id = $1 and id = $2`,
    [tenantId, id, at],
  );
}

/** Leaves of an endpoint what its deliveries refer to; everything that was sealed is destroyed. */
export async function buryEndpoint(tx: Tx, tenantId: string, id: string, at: Date): Promise<void> {
  await tx.query("delete from endpoint_secrets where tenant_id = $1 and endpoint_id = $2", [tenantId, id]);
  await tx.query(
    `update webhook_endpoints
        set deleted_at = $3, updated_at = $3, sealed_headers = null, header_names = '{}', sealed_signing_key = null
      where tenant_id = $1 and id = $2`,
    [tenantId, id, at],
  );
}

/**
 * Removes up to `limit` tombstones of endpoints that were deleted by `until` and that no delivery and no replay refers to
 * any more, the oldest first; gives how many.
 */
export async function purgeEndpoints(
  conn: Conn,
  { until, limit }: { until: Date; limit: number },
): Promise<number> {
  const rows = await conn.query(
    `delete from webhook_endpoints where (tenant_id, id) in (
       select tenant_id, id from webhook_endpoints w
        where deleted_at <= $1
          and not exists (select 1 from deliveries d where d.tenant_id = w.tenant_id and d.endpoint_id = w.id)
          and not exists (select 1 from replays r where r.tenant_id = w.tenant_id and r.endpoint_id = w.id)
        order by deleted_at limit $2 for update skip locked)
     returning 1`,
    [until, limit],
  );
  return rows.length;
}
