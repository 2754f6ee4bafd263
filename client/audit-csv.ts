import type { AuditEntry } from "#contracts/audit.ts";
import { csvText } from "./csv.ts";

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

/** The log as CSV. */
export const auditCsv = (entries: readonly AuditEntry[]): string => csvText(COLUMNS, entries);
