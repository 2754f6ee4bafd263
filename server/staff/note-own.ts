import { randomUUID } from "node:crypto";
import { ROLES } from "#contracts/scopes.ts";
import type { Tx } from "#db/client.ts";
import { findStaffByEmail } from "#db/queries/staff.ts";
import { type AuditEntry, appendAudit, INSTALLATION } from "../audit/append-audit.ts";

/** Notes what somebody has done to their own account outside the API: in the course of signing in. */
export async function noteOwn(tx: Tx, email: string, entry: Omit<AuditEntry, "target">): Promise<void> {
  const found = await findStaffByEmail(tx, email);
  const role = ROLES.find((name) => name === found?.role) ?? "viewer";
  const actor = { kind: "staff", email, role } as const;
  await appendAudit(
    tx,
    { tenantId: INSTALLATION, requestId: randomUUID(), now: () => new Date(), actor },
    { ...entry, target: email },
  );
}
