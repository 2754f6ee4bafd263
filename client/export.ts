import type { Delivery } from "#contracts/deliveries.ts";

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
  if (format === "json") return `${JSON.stringify(rows, null, 2)}\n`;
  const lines = rows.map((row) => COLUMNS.map((name) => csvCell(row[name])).join(","));
  return `${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

/**
 * A cell of CSV. One that a spreadsheet would take for a formula gets an apostrophe before it, and then is text: event
 * types and URLs are chosen by others.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Has the browser save a text as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read by then; the address would keep the text in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
