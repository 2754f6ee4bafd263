import { useQueryClient } from "@tanstack/react-query";
import type { Delivery } from "#contracts/deliveries.ts";
import { type Pages, rowsOf } from "./delivery-rows.ts";

/** The deliveries before and after one in the list that one came from, as far as it was read. */
export function useNeighbours(
  tenantId: string,
  id: string,
): { newer: Delivery | null; older: Delivery | null } {
  const client = useQueryClient();
  const lists = client
    .getQueryCache()
    .findAll({ queryKey: ["deliveries", "list", tenantId] })
    .map(({ state }) => ({ rows: rowsOf(state.data as Pages | undefined), readAt: state.dataUpdatedAt }))
    .filter(({ rows }) => rows.some((row) => row.id === id))
    .sort((a, b) => b.readAt - a.readAt);
  const rows = lists[0]?.rows ?? [];
  const at = rows.findIndex((row) => row.id === id);
  return { newer: rows[at - 1] ?? null, older: at === -1 ? null : (rows[at + 1] ?? null) };
}
