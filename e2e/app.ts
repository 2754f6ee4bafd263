import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const root = join(import.meta.dirname, "..");
const startTimeoutMs = 600_000;
const stopTimeoutMs = 20_000;

/** The application as `npm start` runs it. */
export interface App {
  /** The file in which it says where it is reached and with what keys. */
  demoFile: string;
  /** Stops it by SIGINT, and removes its data. Rejects when it does not end in order. */
  stop(): Promise<void>;
}

/**
 * Starts the whole application, built if needed, in a data folder of its own and on a free port, with the demo on, and
 * waits until it is up. `env` adds settings.
 */
export async function startApp(env: Record<string, string> = {}): Promise<App> {
  const dataDir = await mkdtemp(join(tmpdir(), "posthorn-e2e-"));
  const demoFile = join(dataDir, "demo.json");
  const child = spawn(process.execPath, [join(root, "scripts", "launch.mjs"), "start"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: "0",
      HOST: "127.0.0.1",
      PUBLIC_ORIGIN: "",
      POSTHORN_DATA_DIR: dataDir,
      POSTHORN_DEMO: "on",
      // All tests come from one address.
      RATE_LIMIT_SIGN_INS: "1000",
      ALLOW_PRIVATE_TARGETS: "127.0.0.0/8,::1/128",
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      output = (output + chunk).slice(-20_000);
    });
  }
  const ended = once(child, "exit");
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  const stop = async () => {
    child.kill("SIGINT");
    const inOrder = await Promise.race([ended.then(() => true), pause(stopTimeoutMs, false, { ref: false })]);
    if (!inOrder) child.kill("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
    if (!inOrder || child.exitCode !== 0)
      throw new Error(
        `npm start ended with ${child.exitCode ?? child.signalCode ?? "no answer to SIGINT"}:\n${output}`,
      );
  };

  const deadline = Date.now() + startTimeoutMs;
  while (!existsSync(demoFile)) {
    if (!isRunning() || Date.now() > deadline) {
      await stop().catch(() => {});
      throw new Error(`npm start did not come up:\n${output}`);
    }
    await pause(100);
  }
  return { demoFile, stop };
}
