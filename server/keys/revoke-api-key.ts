import { toId } from "#contracts/ids.ts";
import type { Tx } from "#db/client.ts";
import { setKeyRevoked } from "#db/queries/keys.ts";
import type { NoteKey } from "./issue-api-key.ts";

/** Ends a key for good, from the commit on; `false`, and nothing is noted, when it is none or has been revoked before. */
export async function revokeApiKey(
  tx: Tx,
  note: NoteKey,
  { tenantId, id, now }: { tenantId: string; id: string; now: Date },
): Promise<boolean> {
  if (!(await setKeyRevoked(tx, { tenantId, id, at: now }))) return false;
  const after = { revoked_at: now.toISOString() };
  await note({ action: "api_key.revoke", target: toId("apiKey", id), before: { revoked_at: null }, after });
  return true;
}
