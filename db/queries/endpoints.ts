import type { Conn } from "../client.ts";

/** The endpoints that take part in fan-out: neither deleted nor disabled. */
export function listSubscribers(
  conn: Conn,
  tenantId: string,
): Promise<{ id: string; eventTypes: string[] }[]> {
  return conn.query(
    `select id, event_types as "eventTypes" from webhook_endpoints
      where tenant_id = $1 and status <> 'disabled' and deleted_at is null order by id`,
    [tenantId],
    "list-subscribers",
  );
}
