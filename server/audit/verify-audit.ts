import type { Conn } from "#db/client.ts";
import { listAuditChains, listAuditRows } from "#db/queries/audit.ts";
import { auditHash, CHAIN_START } from "../domain/audit-chain.ts";

const AT_ONCE = 1_000;

export interface VerifiedChain {
  tenantId: string;
  entries: number;
  /** Number of the first entry that is not what was written, or is missing; `null` when the chain is whole. */
  brokenAt: string | null;
}

/**
 * Computes the hashes of a chain anew, a thousand entries at a time. Nothing is locked: entries are only ever added, so
 * that writers and this do not meet.
 */
export async function verifyChain(conn: Conn, tenantId: string): Promise<VerifiedChain> {
  let previousHash: Buffer = CHAIN_START;
  let entries = 0;
  for (;;) {
    const rows = await listAuditRows(conn, tenantId, { after: String(entries), limit: AT_ONCE });
    for (const row of rows) {
      const expected = String(entries + 1);
      const intact =
        row.number === expected &&
        row.previousHash.equals(previousHash) &&
        row.hash.equals(auditHash(previousHash, { tenantId, ...row }));
      if (!intact) return { tenantId, entries, brokenAt: expected };
      previousHash = row.hash;
      entries += 1;
    }
    if (rows.length < AT_ONCE) return { tenantId, entries, brokenAt: null };
  }
}

/** The number of the first entry that is not what was written, or is missing; `null` when the chain is whole. */
export async function verifyAudit(conn: Conn, tenantId: string): Promise<string | null> {
  return (await verifyChain(conn, tenantId)).brokenAt;
}

/** Every chain there is, or one. */
export async function verifyChains(conn: Conn, tenantId: string | undefined): Promise<VerifiedChain[]> {
  const verified: VerifiedChain[] = [];
  for (const chain of tenantId === undefined ? await listAuditChains(conn) : [tenantId])
    verified.push(await verifyChain(conn, chain));
  return verified;
}
