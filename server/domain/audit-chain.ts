import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** What one entry of the audit log says, without its place in the chain. */
export interface AuditFacts {
  tenantId: string;
  number: string;
  at: Date;
  actor: string;
  role: string;
  action: string;
  target: string;
  before: unknown;
  after: unknown;
  requestId: string;
}

/** What the first entry of a chain follows. */
export const CHAIN_START = Buffer.alloc(32);

/** SHA-256 over the hash before and everything the entry says: no entry can be changed, taken out or put between. */
export function auditHash(previousHash: Buffer, facts: AuditFacts): Buffer {
  const { tenantId, number, at, actor, role, action, target, before, after, requestId } = facts;
  const text = JSON.stringify([
    tenantId,
    number,
    at.toISOString(),
    actor,
    role,
    action,
    target,
    // The database keeps JSON in an order of its own.
    canonicalJson(JSON.stringify(before ?? null)),
    canonicalJson(JSON.stringify(after ?? null)),
    requestId,
  ]);
  return createHash("sha256").update(previousHash).update(text).digest();
}
