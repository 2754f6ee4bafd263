import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { DATABASE_USER } from "./postgres/cluster.ts";
import { loadConnectionSettings } from "./postgres/connection-settings.ts";
import { findPostmaster } from "./postgres/postmaster.ts";

/**
 * URL of the embedded database of `dataDir` while it runs, else `undefined`. It starts nothing and writes nothing.
 * Rejects when the folder may not be read, or holds a database without its password.
 */
export async function findRunningDatabase(dataDir: string): Promise<string | undefined> {
  const home = await realpath(join(dataDir, "postgres")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  const server = home && (await findPostmaster(join(home, "data")));
  if (!server) return undefined;
  const { password } = await loadConnectionSettings(home, true);
  return `postgres://${DATABASE_USER}:${password}@127.0.0.1:${server.port}/posthorn`;
}
