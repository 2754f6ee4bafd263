import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newRootKey } from "../crypto/keyring.ts";
import { ensureRootKeys, loadRootKeys } from "./root-keys.ts";
import { SettingsError } from "./settings.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "posthorn-keys-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

const inFolder = () => ({ dataDir, encryptionKeys: undefined });

it("makes a key once, that only its owner can read", () => {
  ensureRootKeys(inFolder());
  const [key] = loadRootKeys(inFolder());
  expect(key?.bytes).toHaveLength(32);
  expect(statSync(join(dataDir, "keys")).mode & 0o777).toBe(0o600);
  ensureRootKeys(inFolder());
  expect(loadRootKeys(inFolder())).toEqual([key]);
  expect(readdirSync(dataDir)).toEqual(["keys"]);
});

it("prefers ENCRYPTION_KEYS, and makes no file then", () => {
  const settings = { dataDir, encryptionKeys: `${newRootKey("b")},${newRootKey("a")}` };
  ensureRootKeys(settings);
  expect(loadRootKeys(settings).map(({ id }) => id)).toEqual(["b", "a"]);
  expect(readdirSync(dataDir)).toEqual([]);
});

it("leaves a file alone that is there, and says what is wrong with it without showing it", () => {
  writeFileSync(join(dataDir, "keys"), "k1:geheim");
  ensureRootKeys(inFolder());
  expect(readFileSync(join(dataDir, "keys"), "utf8")).toBe("k1:geheim");
  expect(() => loadRootKeys(inFolder())).toThrow(SettingsError);
  expect(() => loadRootKeys(inFolder())).toThrow(/keys: entry 1 is not <id>:<base64 of 32 bytes>\.$/);
});

it("says what to do when there is no key at all", () => {
  expect(() => loadRootKeys(inFolder())).toThrow("ENCRYPTION_KEYS is not set");
  expect(() => ensureRootKeys({ dataDir: join(dataDir, "none"), encryptionKeys: undefined })).toThrow(
    "ENOENT",
  );
});
