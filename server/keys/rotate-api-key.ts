import type { Scope } from "#contracts/scopes.ts";
import type { Tx } from "#db/client.ts";
import { endApiKeyAt, isReplaced, type KeyRecord, lockKeyRecord } from "#db/queries/keys.ts";
import { AppError, notFound } from "../errors.ts";
import { createApiKey, type MadeApiKey } from "./create-api-key.ts";
import type { NoteKey } from "./issue-api-key.ts";
import { keyState, toApiKey } from "./to-api-key.ts";

/**
 * Makes a key in place of another, which ends after the overlap. The new one is the same principal, with the same name,
 * scopes and end. 404 when there is no such key, 409 when it has ended or was replaced before; of two at once one wins.
 */
export async function rotateApiKey(
  tx: Tx,
  note: NoteKey,
  { tenantId, id, overlapSeconds, now }: { tenantId: string; id: string; overlapSeconds: number; now: Date },
): Promise<MadeApiKey> {
  const old = await lockKeyRecord(tx, tenantId, id);
  if (!old) throw notFound();
  const state = keyState(old, now);
  if (state !== "active") throw conflict(`The key is ${state}.`, state);
  if (await isReplaced(tx, tenantId, old)) throw conflict("The key has been replaced before.", state);
  const { name, principalId, expiresAt } = old;
  const scopes = old.scopes as Scope[];
  const made = await createApiKey(tx, { tenantId, name, scopes, principalId, expiresAt, now });
  await endApiKeyAt(tx, { tenantId, id, at: new Date(now.getTime() + overlapSeconds * 1000) });
  await noteRotation(note, old, made.record, { overlapSeconds, now });
  return made;
}

function noteRotation(
  note: NoteKey,
  old: KeyRecord,
  made: KeyRecord,
  { overlapSeconds, now }: { overlapSeconds: number; now: Date },
): Promise<void> {
  const [before, replacement] = [toApiKey(old, now), toApiKey(made, now)];
  const after = { replaced_by: replacement.id, overlap_seconds: overlapSeconds, prefix: replacement.prefix };
  return note({ action: "api_key.rotate", target: before.id, before, after });
}

const conflict = (detail: string, state: string) =>
  new AppError("state-conflict", detail, { members: { state } });
