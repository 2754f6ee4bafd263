import { randomInt } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { API_KEY_SCOPES, type Scope } from "#contracts/scopes.ts";
import type { Tx } from "#db/client.ts";
import { insertApiKey, type KeyRecord } from "#db/queries/keys.ts";
import { newApiKey } from "../domain/api-key.ts";

export interface NewApiKey {
  tenantId: string;
  name: string;
  /** Default: every scope that a key can hold. */
  scopes?: readonly Scope[];
  expiresAt?: Date | null;
  /** Of the key that this one replaces; else it is a new one. */
  principalId?: string;
  now: Date;
}

/** A key that has just been made. */
export interface MadeApiKey {
  id: string;
  /** Shown this once; only the SHA-256 of its secret is stored. */
  key: string;
  record: KeyRecord;
}

/** Makes an API key. */
export async function createApiKey(tx: Tx, wanted: NewApiKey): Promise<MadeApiKey> {
  const { key, publicId, secretHash } = newApiKey((below) => randomInt(below));
  const id = uuidv7();
  const record = await insertApiKey(tx, {
    tenantId: wanted.tenantId,
    id,
    principalId: wanted.principalId ?? uuidv7(),
    publicId,
    secretHash,
    name: wanted.name,
    scopes: wanted.scopes ?? API_KEY_SCOPES,
    createdAt: wanted.now,
    expiresAt: wanted.expiresAt ?? null,
  });
  return { id, key, record };
}
