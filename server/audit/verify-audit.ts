import type { Conn } from "#db/client.ts";
import { type ChainedRow, walkChains } from "#db/queries/audit.ts";
import { auditHash, CHAIN_START } from "../domain/audit-chain.ts";

const AT_ONCE = 1_000;

export interface VerifiedChain {
  tenantId: string;
  entries: number;
  /** Number of the first entry that is not what was written, or is missing; `null` when the chain is whole. */
  brokenAt: string | null;
}

/**
 * Computes the hashes of every chain anew, or of one, a thousand entries at a time. Nothing is locked: entries are only
 * ever added, so that writers and this do not meet.
 */
export async function verifyChains(conn: Conn, tenantId?: string): Promise<VerifiedChain[]> {
  const chains: VerifiedChain[] = [];
  let previous: ChainedRow | undefined;
  for (;;) {
    const rows: ChainedRow[] = await walkChains(conn, tenantId, previous, AT_ONCE);
    for (const row of rows) {
      const isNext = previous?.tenantId === row.tenantId;
      if (!isNext) chains.push({ tenantId: row.tenantId, entries: 0, brokenAt: null });
      verifyNext(chains.at(-1), row, isNext && previous ? previous.hash : CHAIN_START);
      previous = row;
    }
    if (rows.length < AT_ONCE) return chains;
  }
}

function verifyNext(chain: VerifiedChain | undefined, row: ChainedRow, previousHash: Buffer): void {
  if (!chain || chain.brokenAt !== null) return;
  const expected = String(chain.entries + 1);
  const isIntact =
    row.number === expected &&
    row.previousHash.equals(previousHash) &&
    row.hash.equals(auditHash(previousHash, row));
  if (isIntact) chain.entries += 1;
  else chain.brokenAt = expected;
}

/** The number of the first entry that is not what was written, or is missing; `null` when the chain is whole. */
export async function verifyAudit(conn: Conn, tenantId: string): Promise<string | null> {
  const [chain] = await verifyChains(conn, tenantId);
  return chain?.brokenAt ?? null;
}
