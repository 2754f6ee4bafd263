import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** How to reach the database; kept in `<home>/connection.json`, mode 0600. */
export interface ConnectionSettings {
  readonly password: string;
  /** The port of the last start, taken again while it is free so that the URL stays the same. */
  readonly port?: number;
}

/** Reads the settings of `home`. Without them: a new password when there is no cluster yet, else an error. */
export async function loadConnectionSettings(
  home: string,
  clusterExists: boolean,
): Promise<ConnectionSettings> {
  const file = join(home, "connection.json");
  const settings = await readSettings(file);
  if (settings) return settings;
  if (clusterExists)
    throw new EmbeddedPostgresError(
      `The password of the database in ${home} is lost (${file} is missing or damaged): restore that file, or move ${home} away to start with an empty database.`,
    );
  const created = { password: randomBytes(24).toString("base64url") };
  await saveConnectionSettings(home, created);
  return created;
}

/** Writes the settings so that a crash leaves the old or the new ones. */
export async function saveConnectionSettings(home: string, settings: ConnectionSettings): Promise<void> {
  const file = join(home, "connection.json");
  const draft = `${file}.new`;
  await rm(draft, { force: true });
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(settings)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await syncFolder(home);
}

/** Makes renames in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readSettings(file: string): Promise<ConnectionSettings | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  try {
    const { password, port } = JSON.parse(text);
    if (typeof password !== "string") return undefined;
    return Number.isInteger(port) ? { password, port } : { password };
  } catch {
    return undefined;
  }
}
