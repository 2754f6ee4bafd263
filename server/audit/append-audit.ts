import { toId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { insertAuditRow, lastAuditRow } from "#db/queries/audit.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import type { Actor, Ctx } from "../context.ts";
import { auditHash, CHAIN_START } from "../domain/audit-chain.ts";

export interface AuditEntry {
  /** What was done: `webhook_endpoint.create`. */
  action: string;
  /** Id of what it was done to. */
  target: string;
  /** The state before and after, never a secret. */
  before?: unknown;
  after?: unknown;
}

/** Who is answerable for a change: a caller of the API, whoever runs the command line on the server, or Posthorn itself. */
type Auditor =
  | Pick<Extract<Actor, { kind: "staff" }>, "kind" | "email" | "role">
  | Pick<Extract<Actor, { kind: "key" }>, "kind" | "keyId">
  | Pick<Extract<Actor, { kind: "portal" }>, "kind" | "linkId">
  | { kind: "cli" }
  | { kind: "system" };

type AuditContext = Pick<Ctx, "tenantId" | "requestId" | "now"> & { actor: Auditor };

/** In place of a tenant: the chain of what concerns the whole installation, such as its staff. */
export const INSTALLATION = "00000000-0000-0000-0000-000000000000";

/** Adds an entry to the tenant's chain as part of `tx`. Changes that are audited take turns within a tenant. */
export async function appendAudit(tx: Tx, ctx: AuditContext, entry: AuditEntry): Promise<void> {
  const { tenantId, requestId } = ctx;
  await lockTenant(tx, tenantId);
  const last = await lastAuditRow(tx, tenantId);
  const facts = {
    number: String(BigInt(last?.number ?? "0") + 1n),
    at: ctx.now(),
    ...who(ctx.actor),
    action: entry.action,
    target: entry.target,
    before: entry.before ?? null,
    after: entry.after ?? null,
    requestId,
  };
  const previousHash = last?.hash ?? CHAIN_START;
  const hash = auditHash(previousHash, { tenantId, ...facts });
  await insertAuditRow(tx, tenantId, { ...facts, previousHash, hash });
}

/** Who a change is put down to. */
export function who(actor: Auditor): { actor: string; role: string } {
  if (actor.kind === "cli" || actor.kind === "system") return { actor: actor.kind, role: actor.kind };
  if (actor.kind === "staff") return { actor: actor.email, role: actor.role };
  if (actor.kind === "portal") return { actor: toId("portalLink", actor.linkId), role: "portal_link" };
  return { actor: toId("apiKey", actor.keyId), role: "api_key" };
}
