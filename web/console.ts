import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import next from "next";
import type { NodeHandler } from "./server.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The console as it was built. Throws when there is no build. */
export async function openConsole(): Promise<{ handle: NodeHandler; close(): Promise<void> }> {
  if (!existsSync(join(ROOT, ".next", "BUILD_ID")))
    throw new Error("The console has not been built (.next is missing): `npm start` builds it.");
  const app = next({ dev: false, dir: ROOT });
  await app.prepare();
  return { handle: app.getRequestHandler(), close: () => app.close() };
}
