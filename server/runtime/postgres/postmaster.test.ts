import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { isPostmaster, stopPostmaster } from "./postmaster.ts";
import { cleanUp, makeFolder } from "./test-support.ts";

afterEach(cleanUp);

describe("stopPostmaster", () => {
  it("ends by force a server that does not heed the fast shutdown", async () => {
    const clusterDir = await makeFolder();
    const server = spawn(process.execPath, [
      "--eval",
      "process.on('SIGINT', () => {}); setInterval(() => {}, 60_000); console.log('deaf')",
      ...["--", "-D", clusterDir, "-p", "1"],
    ]);
    await once(server.stdout, "data");
    const exit = once(server, "exit");
    await stopPostmaster(server.pid ?? 0, clusterDir);
    expect(await exit).toEqual([null, "SIGQUIT"]);
  });

  it("signals nobody when the number belongs to another program by now", async () => {
    const clusterDir = await makeFolder();
    expect(await isPostmaster(process.pid, clusterDir)).toBe(false);
    await stopPostmaster(process.pid, clusterDir);
  });
});
