import { randomUUID } from "node:crypto";
import { ROLES } from "#contracts/scopes.ts";
import { type Db, withTransaction } from "#db/client.ts";
import { findStaffByEmail } from "#db/queries/staff.ts";
import { appendAudit, INSTALLATION } from "../audit/append-audit.ts";

/** Notes that somebody has set their password by a link. */
export async function noteLinkUse(db: Db, email: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    const found = await findStaffByEmail(tx, email);
    const role = ROLES.find((name) => name === found?.role) ?? "viewer";
    const actor = { kind: "staff", email, role } as const;
    await appendAudit(
      tx,
      { tenantId: INSTALLATION, requestId: randomUUID(), now: () => new Date(), actor },
      { action: "staff.set_password", target: email },
    );
  });
}
