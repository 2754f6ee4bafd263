import { spawn } from "node:child_process";

/** What is put in the place of a reader: where the deployment is, and a key to it. */
export interface Reader {
  baseUrl: string;
  apiKey: string;
  /** The folder in which the commands are run. */
  folder: string;
}

/** What came of the commands of a page. */
export interface Run {
  exitCode: number | null;
  /** The statuses that the page says its calls are answered with, and those they were answered with. */
  told: number[];
  got: number[];
  output: string;
}

/** The shell blocks of a page that are about the API: those that call it or check a signature, and those that set variables. */
export function commandsOf(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  const isSetting = (block: string) => /^([A-Z]+=|#|$)/.test(block) && !/^(?![A-Z]+=|#|\s*$)/m.test(block);
  return blocks.filter((block) => /\b(curl|openssl) /.test(block) || isSetting(block));
}

/** The status that each call says in the comment before it: `# 201: made`. */
function toldStatuses(block: string): number[] {
  return [...block.matchAll(/^# (\d{3})\b.*\n(?:#.*\n)*curl /gm)].map(([, status]) => Number(status));
}

// A reader sees the answer; the test wants the status too, apart from what the command prints.
const SHELL = `set -euo pipefail
curl() { command curl --write-out '%{stderr}STATUS %{http_code}\\n' "$@"; }
`;

/** Runs the commands of a page one after the other in one shell, as a reader would who fills in address and key. */
export async function runPage(markdown: string, { baseUrl, apiKey, folder }: Reader): Promise<Run> {
  const blocks = commandsOf(markdown);
  const script = blocks
    .join("\n")
    .replace(/^KEY=ph_\S*/m, `KEY=${apiKey}`)
    .replace(/^BASE=https:\/\/\S*/m, `BASE=${baseUrl}`);
  const child = spawn("bash", ["-s"], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.stdin.end(SHELL + script);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const got = [...errors.matchAll(/^STATUS (\d{3})$/gm)].map(([, status]) => Number(status));
  return { exitCode, told: blocks.flatMap(toldStatuses), got, output: output + errors };
}
