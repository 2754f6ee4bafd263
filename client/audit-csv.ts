import type { AuditEntry } from "#contracts/audit.ts";

const COLUMNS = [
  "at",
  "actor",
  "role",
  "tenant_id",
  "action",
  "target",
  "before",
  "after",
  "request_id",
  "number",
  "hash",
] as const satisfies readonly (keyof AuditEntry)[];

/** The log as CSV (RFC 4180), with a head line. A cell that a spreadsheet would compute is made text by an apostrophe. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const lines = entries.map((entry) => COLUMNS.map((name) => cell(entry[name])).join(","));
  return `${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
