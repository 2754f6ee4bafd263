import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRootKey, parseRootKeys, type RootKey } from "../crypto/keyring.ts";
import { type Settings, SettingsError } from "./settings.ts";

type KeySettings = Pick<Settings, "encryptionKeys" | "dataDir">;

const pathOf = ({ dataDir }: KeySettings) => join(dataDir, "keys");

/** The root keys of ENCRYPTION_KEYS, or else of the data folder. Throws a SettingsError when there are none. */
export function loadRootKeys(settings: KeySettings): RootKey[] {
  return parseRootKeys(settings.encryptionKeys ?? readKeys(settings));
}

/** Makes the first root key in the data folder, readable by its owner only, when neither place has one. */
export function ensureRootKeys(settings: KeySettings): void {
  if (settings.encryptionKeys !== undefined) return;
  try {
    writeFileSync(pathOf(settings), `${newRootKey("k1")}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function readKeys(settings: KeySettings): string {
  try {
    return readFileSync(pathOf(settings), "utf8").trim();
  } catch {
    throw new SettingsError("ENCRYPTION_KEYS is not set, and POSTHORN_DATA_DIR holds no keys.");
  }
}
