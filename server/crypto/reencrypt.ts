import { type Db, type Tx, withTransaction } from "#db/client.ts";
import { listSealedByOthers, replaceSealed, type SealedValue } from "#db/queries/sealed-secrets.ts";
import { sealedIdentity } from "./identities.ts";
import { createKeyring, type Keyring, type RootKey } from "./keyring.ts";

const AT_ONCE = 200;

/** What came of a run: values sealed anew, and values that no root key opens, which stay as they are. */
export interface Reencrypted {
  resealed: number;
  unopened: number;
}

/**
 * Seals with the newest root key whatever another one has sealed, 200 values a transaction; `note` is told of each part
 * within its transaction. It may be broken off and begun again at any time, while everything else runs.
 */
export async function reencrypt(
  db: Db,
  rootKeys: readonly RootKey[],
  note: (tx: Tx, part: Reencrypted) => Promise<void>,
): Promise<Reencrypted> {
  const keyring = createKeyring(rootKeys);
  const keyId = rootKeys[0]?.id ?? "";
  const total: Reencrypted = { resealed: 0, unopened: 0 };
  for (let after: SealedValue | undefined; ; ) {
    const values = await listSealedByOthers(db, { keyId, after, limit: AT_ONCE });
    after = values.at(-1);
    if (!after) return total;
    const part = await withTransaction(db, async (tx) => {
      const done = await resealAll(tx, keyring, values);
      if (done.resealed > 0) await note(tx, done);
      return done;
    });
    total.resealed += part.resealed;
    total.unopened += part.unopened;
  }
}

async function resealAll(tx: Tx, keyring: Keyring, values: readonly SealedValue[]): Promise<Reencrypted> {
  const done: Reencrypted = { resealed: 0, unopened: 0 };
  for (const value of values) {
    const identity = sealedIdentity(value);
    const plain = opened(keyring, value.sealed, identity);
    if (plain === undefined) done.unopened++;
    else {
      await replaceSealed(tx, value, keyring.seal(plain, identity));
      done.resealed++;
    }
  }
  return done;
}

function opened(keyring: Keyring, sealed: string, identity: string): string | undefined {
  try {
    return keyring.open(sealed, identity);
  } catch {
    return undefined;
  }
}
