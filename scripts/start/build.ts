import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "./report.ts";

const root = join(import.meta.dirname, "..", "..");
const stamp = join(root, ".next", "posthorn-sources");

/** What the console is built from. */
const SOURCES = [
  "{app,client,components,contracts,server,db}/**/*.{ts,tsx,css,svg,json}",
  "{proxy.ts,instrumentation-client.ts,next.config.mjs,postcss.config.mjs}",
  "package-lock.json",
];

/** Builds the console unless the last build was from these very sources. Throws a StartError with the compiler's words. */
export async function buildConsole(say: (text: string) => void): Promise<void> {
  const sources = hashOfSources();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === sources) return;
  say("building, once; this takes about half a minute");
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const build = spawn(process.execPath, [next, "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [build.stdout, build.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-8_000);
    });
  const [code] = (await once(build, "close")) as [number | null];
  if (code !== 0) throw new StartError(`The console could not be built:\n${output.trim()}`);
  writeFileSync(stamp, sources);
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
  for (const path of globSync(SOURCES, { cwd: root })
    .filter((each) => !isTest(each))
    .sort())
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}
