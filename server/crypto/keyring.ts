import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/** A root key: 32 bytes and the id that names it in what it sealed. */
export interface RootKey {
  id: string;
  bytes: Buffer;
}

/** Seals and signs with the newest root key, opens and verifies with any of them. */
export interface Keyring {
  /** Ids of the root keys, newest first. */
  keyIds: readonly string[];
  /** Encrypts with AES-256-GCM; `aad` is the identity of the row, so a sealed value cannot be moved to another. */
  seal(plain: string, aad: string): string;
  /** Throws when the key is unknown, the row is another, or the text was changed. */
  open(sealed: string, aad: string): string;
  /** HMAC-SHA256 with a key derived for `purpose` from the newest root key; gives that key's id too. */
  sign(purpose: string, data: string): { keyId: string; mac: Buffer };
  /** The MAC of `data` by the named root key, or `undefined` when there is no such key. */
  mac(purpose: string, keyId: string, data: string): Buffer | undefined;
  /** 32 bytes derived for `purpose` from the oldest root key, hex: stable while keys are added. */
  derive(purpose: string): string;
}

const VERSION = "v1";

/** Builds the keyring; the first key is the newest. Throws when there is none or one is not 32 bytes. */
export function createKeyring(keys: readonly RootKey[]): Keyring {
  const [newest] = keys;
  const oldest = keys.at(-1);
  if (!newest || !oldest) throw new Error("ENCRYPTION_KEYS holds no key");
  const byId = new Map(keys.map((key) => [key.id, key]));
  const derived = new Map<string, KeyObject>();

  const subkey = (root: RootKey, purpose: string): KeyObject => {
    const name = `${root.id}/${purpose}`;
    let key = derived.get(name);
    if (!key) {
      key = createSecretKey(Buffer.from(hkdfSync("sha256", root.bytes, "", `posthorn/${purpose}`, 32)));
      derived.set(name, key);
    }
    return key;
  };
  const macOf = (root: RootKey, purpose: string, data: string) =>
    createHmac("sha256", subkey(root, purpose)).update(data).digest();

  return {
    keyIds: keys.map(({ id }) => id),
    seal: (plain, aad) => seal(newest.id, subkey(newest, "seal"), plain, aad),
    open(sealed, aad) {
      const root = byId.get(sealed.split(".")[1] ?? "");
      if (!root) throw new Error("sealed with a key that ENCRYPTION_KEYS does not hold");
      return open(subkey(root, "seal"), sealed, aad);
    },
    sign: (purpose, data) => ({ keyId: newest.id, mac: macOf(newest, purpose, data) }),
    mac(purpose, keyId, data) {
      const root = byId.get(keyId);
      return root && macOf(root, purpose, data);
    },
    // A name that no subkey has: what leaves this module must not be what seals and signs inside it.
    derive: (purpose) =>
      Buffer.from(hkdfSync("sha256", oldest.bytes, "", `posthorn/derived/${purpose}`, 32)).toString("hex"),
  };
}

function seal(keyId: string, key: KeyObject, plain: string, aad: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(aad));
  const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return [VERSION, keyId, ...[iv, text, cipher.getAuthTag()].map((part) => part.toString("base64url"))].join(
    ".",
  );
}

function open(key: KeyObject, sealed: string, aad: string): string {
  const [version, , iv, text, tag] = sealed.split(".");
  if (version !== VERSION || !iv || text === undefined || !tag) throw new Error("not a sealed value");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(aad)).setAuthTag(Buffer.from(tag, "base64url"));
  return Buffer.concat([decipher.update(Buffer.from(text, "base64url")), decipher.final()]).toString("utf8");
}

/** Parses `id:base64,id:base64`, newest first, no id twice. Throws with a message that shows no key. */
export function parseRootKeys(text: string): RootKey[] {
  const seen = new Set<string>();
  return text.split(",").map((entry, index) => {
    const [id, encoded, more] = entry.trim().split(":");
    const bytes = Buffer.from(encoded ?? "", "base64");
    if (!id || !/^[A-Za-z0-9_-]{1,32}$/.test(id) || more !== undefined || bytes.length !== 32)
      throw new Error(`entry ${index + 1} is not <id>:<base64 of 32 bytes>`);
    if (seen.has(id)) throw new Error(`entry ${index + 1} has the id of an entry before it`);
    seen.add(id);
    return { id, bytes };
  });
}

/** A new root key in the form that `parseRootKeys` reads. */
export function newRootKey(id: string): string {
  return `${id}:${randomBytes(32).toString("base64")}`;
}
