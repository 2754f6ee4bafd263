import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRootKey, parseRootKeys, type RootKey } from "../crypto/keyring.ts";
import { type Settings, SettingsError } from "./settings.ts";

type KeySettings = Pick<Settings, "encryptionKeys" | "dataDir">;

const pathOf = ({ dataDir }: KeySettings) => join(dataDir, "keys");

/** The root keys of ENCRYPTION_KEYS, or else of the data folder. Throws a SettingsError when there are none. */
export function loadRootKeys(settings: KeySettings): RootKey[] {
  if (settings.encryptionKeys !== undefined) return parseRootKeys(settings.encryptionKeys);
  const text = readKeys(settings);
  try {
    return parseRootKeys(text);
  } catch (error) {
    throw new SettingsError(`${pathOf(settings)}: ${error instanceof Error ? error.message : error}.`);
  }
}

/**
 * Makes the first root key in the data folder, readable by its owner only, when neither place has one. Whatever stops
 * it leaves no half a file behind, and of two processes at once one makes the key that both have.
 */
export function ensureRootKeys(settings: KeySettings): void {
  if (settings.encryptionKeys !== undefined) return;
  const draft = `${pathOf(settings)}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, `${newRootKey("k1")}\n`, { mode: 0o600, flag: "wx", flush: true });
    linkSync(draft, pathOf(settings));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKeys(settings: KeySettings): string {
  try {
    return readFileSync(pathOf(settings), "utf8").trim();
  } catch {
    throw new SettingsError("ENCRYPTION_KEYS is not set, and POSTHORN_DATA_DIR holds no keys.");
  }
}
