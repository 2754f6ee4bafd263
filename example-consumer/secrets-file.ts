import { readFile, stat } from "node:fs/promises";
import type { Secrets } from "#receiver/index.ts";

/** The secrets of each path, as `{ "/webhooks/provider": { "v1": "whsec_…" } }`. */
export type SecretsByPath = ReadonlyMap<string, Secrets>;

/** Reads the JSON form. Throws an Error that repeats none of it. */
export function parseSecrets(json: string): SecretsByPath {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error("is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error("is not an object of secrets by path");
  }
  return new Map(Object.entries(value));
}

/**
 * The secrets of a file that others rewrite: looked at on every call, read again when it has changed. While it cannot be
 * read (half written, say) the last good content holds and `onProblem` is told once; a file that is gone holds none.
 */
export function secretsFile(
  path: string,
  onProblem: (problem: string) => void,
): () => Promise<SecretsByPath> {
  let secrets = Promise.resolve<SecretsByPath>(new Map());
  let seen: string | null = null;

  async function load(version: string, lastGood: Promise<SecretsByPath>): Promise<SecretsByPath> {
    if (version === ABSENT) return new Map();
    try {
      return parseSecrets(await readFile(path, "utf8"));
    } catch (error) {
      onProblem(`${path} ${error instanceof Error ? error.message : String(error)}`);
      return lastGood;
    }
  }

  return async () => {
    const version = await versionOf(path);
    if (version !== seen) {
      seen = version;
      secrets = load(version, secrets);
    }
    return secrets;
  };
}

const ABSENT = "absent";

/** Changes whenever the file does; the time alone is too coarse for two writes in a row. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? ABSENT : String(error);
  }
}
