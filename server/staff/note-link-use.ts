import { type Db, withTransaction } from "#db/client.ts";
import { deletePendingSignIns } from "#db/queries/second-factors.ts";
import { noteOwn } from "./note-own.ts";

/** Notes that somebody has set their password by a link, and ends sign-ins that were begun with the old one. */
export async function noteLinkUse(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
  await withTransaction(db, async (tx) => {
    await deletePendingSignIns(tx, id);
    await noteOwn(tx, email, { action: "staff.set_password" });
  });
}
