import { renameSync, writeFileSync } from "node:fs";

/** Writes JSON that only the owner may read, whole or not at all. */
export function writePrivateJson(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
