import { fromId } from "#contracts/ids.ts";
import type { ReplayStatus } from "#contracts/replays.ts";
import type { Conn } from "#db/client.ts";
import { listReplays as listReplayRows, type ReplayRow } from "#db/queries/replays.ts";
import { cutPage, type PageRequest, type PageSlice } from "../domain/page.ts";

/** A page of replays, newest first. */
export async function listReplays(
  conn: Conn,
  tenantId: string,
  filters: { endpoint_id?: string | undefined; status?: ReplayStatus | undefined },
  page: PageRequest,
): Promise<PageSlice<ReplayRow>> {
  const { endpoint_id, status = null } = filters;
  const endpointId = endpoint_id === undefined ? null : (fromId("endpoint", endpoint_id) ?? null);
  return cutPage(await listReplayRows(conn, tenantId, { endpointId, status }, page), page);
}
