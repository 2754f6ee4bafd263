import { spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

/** PATH on which `node` is the one that runs this and the project's tools come next. */
export const toolPath: string = [
  dirname(process.execPath),
  join(root, "node_modules", ".bin"),
  process.env.PATH ?? "",
].join(delimiter);

/** How a tool ended: its exit code (1 when a signal or the timeout ended it) and all it wrote. */
export interface ToolResult {
  code: number;
  output: string;
}

/** Runs a tool of node_modules/.bin in the project folder, without input, and collects what it says. */
export function runTool(
  name: string,
  args: string[],
  options: { timeoutMs?: number } = {},
): Promise<ToolResult> {
  const child = spawn(join(root, "node_modules", ".bin", name), args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: options.timeoutMs,
    killSignal: "SIGKILL",
    env: { ...process.env, PATH: toolPath, FORCE_COLOR: undefined, NO_COLOR: "1" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
