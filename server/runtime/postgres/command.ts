import { execFile } from "node:child_process";
import type { Account } from "./account.ts";

/**
 * PostgreSQL's programs speak English to the log reader, and take nothing else from the operator's environment. (The type wants
 * NODE_ENV, which Next adds to it and which means nothing to them.)
 */
export const ENVIRONMENT = {
  LC_ALL: "C",
  TZ: "UTC",
  PATH: "/usr/local/bin:/usr/bin:/bin",
} as unknown as NodeJS.ProcessEnv;

/** A program that could not be started or answered with a failure; `output` is what it said. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly output: string;
  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

/** Runs one of PostgreSQL's programs to its end, as `account` if given, and gives its standard output. */
export function run(program: string, args: readonly string[], account: Account | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { ...account, cwd: "/", env: ENVIRONMENT }, (error, stdout, stderr) => {
      if (error) reject(new CommandError(error.message, `${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}
