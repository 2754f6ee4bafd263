import type { Conn } from "#db/client.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { auditHash, CHAIN_START } from "../domain/audit-chain.ts";

/** The number of the first entry that is not what was written, or is missing; `null` when the chain is whole. */
export async function verifyAudit(conn: Conn, tenantId: string): Promise<string | null> {
  let previousHash: Buffer = CHAIN_START;
  let number = 1n;
  for (const row of await listAuditRows(conn, tenantId)) {
    const expected = String(number);
    const intact =
      row.number === expected &&
      row.previousHash.equals(previousHash) &&
      row.hash.equals(auditHash(previousHash, { tenantId, ...row }));
    if (!intact) return expected;
    previousHash = row.hash;
    number += 1n;
  }
  return null;
}
