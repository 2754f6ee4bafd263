import { MAX_ACTIVE_KEYS } from "#contracts/keys.ts";
import { API_KEY_SCOPES, type Scope } from "#contracts/scopes.ts";
import type { Tx } from "#db/client.ts";
import { countActiveKeys } from "#db/queries/keys.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import type { AuditEntry } from "../audit/append-audit.ts";
import { validationError } from "../errors.ts";
import { createApiKey, type MadeApiKey } from "./create-api-key.ts";
import { toApiKey } from "./to-api-key.ts";

/** Writes an entry into the audit log of the key's tenant, in the transaction of the change. */
export type NoteKey = (entry: AuditEntry) => Promise<void>;

/** Makes a key for somebody who may give these scopes, and notes it. 422 when it would have ended, or is one too many. */
export async function issueApiKey(
  tx: Tx,
  note: NoteKey,
  wanted: { tenantId: string; name: string; scopes: readonly Scope[]; expiresAt: Date | null; now: Date },
): Promise<MadeApiKey> {
  const { tenantId, expiresAt, now } = wanted;
  if (expiresAt && expiresAt <= now)
    throw validationError([{ detail: "must lie in the future", pointer: "#/expires_at" }]);
  await lockTenant(tx, tenantId);
  if ((await countActiveKeys(tx, tenantId, now)) >= MAX_ACTIVE_KEYS)
    throw validationError([{ detail: `A tenant has at most ${MAX_ACTIVE_KEYS} valid keys.`, pointer: "#" }]);
  // In the order of the contract, each once.
  const scopes = API_KEY_SCOPES.filter((scope) => wanted.scopes.includes(scope));
  const made = await createApiKey(tx, { ...wanted, scopes });
  const after = toApiKey(made.record, now);
  await note({ action: "api_key.create", target: after.id, after });
  return made;
}
