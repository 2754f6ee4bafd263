import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs";
import { type AuditEntry, listAuditEntries, verifyAuditLog } from "#contracts/audit.ts";
import type { Page } from "#contracts/page.ts";
import { call } from "./api.ts";
import { WINDOW_NAMES, WINDOWS } from "./delivery-filters.ts";

/** The filters of the audit log as the address bar holds them. `chain`: a tenant, or `installation`. */
export const auditParsers = {
  actor: parseAsString,
  action: parseAsString,
  target: parseAsString,
  chain: parseAsString,
  window: parseAsStringLiteral(WINDOW_NAMES),
};
export type AuditFilters = inferParserType<typeof auditParsers>;

export const NO_AUDIT_FILTERS: AuditFilters = {
  actor: null,
  action: null,
  target: null,
  chain: null,
  window: null,
};

/** The API's filters; `from` is fixed when a list is begun, since its cursors are bound to it. */
const auditQueryOf = (filters: AuditFilters, from: string | undefined) => ({
  actor: filters.actor ?? undefined,
  action: filters.action ?? undefined,
  target: filters.target ?? undefined,
  chain: filters.chain ?? undefined,
  from,
});

const auditStart = ({ window }: AuditFilters, nowMs: number): string | undefined =>
  window ? new Date(nowMs - WINDOWS[window].ms).toISOString() : undefined;

interface Position {
  after: string;
  from: string | undefined;
}
type AuditPage = Page<AuditEntry> & { from: string | undefined };

async function readPage(
  filters: AuditFilters,
  at: Position | undefined,
  options: { limit?: string; signal?: AbortSignal },
): Promise<AuditPage> {
  const from = at ? at.from : auditStart(filters, Date.now());
  const { limit, signal } = options;
  const query = { ...auditQueryOf(filters, from), limit, after: at?.after };
  return { ...(await call(listAuditEntries, { query, ...(signal ? { signal } : {}) })), from };
}

const nextOf = ({ has_more, next_cursor, from }: AuditPage): Position | undefined =>
  has_more && next_cursor ? { after: next_cursor, from } : undefined;

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ["audit", filters],
    queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, { signal }),
    initialPageParam: undefined as Position | undefined,
    getNextPageParam: nextOf,
    placeholderData: keepPreviousData,
  });

/** The most entries that an export has; the newest of them. */
export const MAX_EXPORTED = 10_000;

/** Every entry that matches, newest first, up to `MAX_EXPORTED`; and whether there were more. */
export async function readForExport(
  filters: AuditFilters,
): Promise<{ entries: AuditEntry[]; isCut: boolean }> {
  const entries: AuditEntry[] = [];
  let at: Position | undefined;
  do {
    const page: AuditPage = await readPage(filters, at, { limit: "100" });
    entries.push(...page.items);
    at = nextOf(page);
  } while (at && entries.length < MAX_EXPORTED);
  return { entries, isCut: at !== undefined };
}

/** Has the server compute the hashes anew: of one chain, or of all. */
export const verifyChains = (chain: string | null) =>
  call(verifyAuditLog, { query: { chain: chain ?? undefined } });

/** What tells an entry from every other. */
export const entryKey = ({ tenant_id, number }: AuditEntry): string =>
  `${tenant_id ?? "installation"}.${number}`;
