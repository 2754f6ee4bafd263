import type { Delivery } from "#contracts/deliveries.ts";
import { csvText } from "./csv.ts";

/** The most deliveries that one file holds: it is put together in the browser. */
export const MAX_EXPORTED = 10_000;

export type ExportFormat = "csv" | "json";

const COLUMNS = [
  "id",
  "status",
  "event_type",
  "event_id",
  "endpoint_id",
  "endpoint_url",
  "attempts",
  "next_attempt_at",
  "failure_class",
  "failure_reason",
  "created_at",
  "delivered_at",
] as const;

/** What a file says of a delivery. */
export type ExportRow = Record<(typeof COLUMNS)[number], string | number | null>;

export function exportRow(delivery: Delivery, endpointUrl: string | undefined): ExportRow {
  const { links: _, ...rest } = delivery;
  return { ...rest, endpoint_url: endpointUrl ?? null };
}

/** The rows as a file: CSV (RFC 4180) with a line of names, or a JSON array. */
export function exportText(rows: readonly ExportRow[], format: ExportFormat): string {
  return format === "json" ? `${JSON.stringify(rows, null, 2)}\n` : csvText(COLUMNS, rows);
}
