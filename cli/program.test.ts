import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "./program.ts";
import { runCli } from "./test-support.ts";

/** The program and every command below it. */
function withCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withCommands)];
}

describe("help", () => {
  it("is there for every command, and says what it does", () => {
    const all = withCommands(createProgram());
    expect(all.map((each) => each.name())).toEqual(
      expect.arrayContaining([
        "config",
        "doctor",
        "tenants",
        "keys",
        "users",
        "partitions",
        "reset-password",
      ]),
    );
    for (const command of all) {
      expect(command.description(), command.name()).not.toBe("");
      expect(command.helpInformation(), command.name()).toMatch(/^Usage: npm run posthorn -- /);
    }
  });

  it("goes to standard output and succeeds, with no database and no setting", async () => {
    const [top, command] = await Promise.all([runCli(["--help"]), runCli(["keys", "create", "--help"])]);
    expect([top.code, top.stderr, command.code, command.stderr]).toEqual([0, "", 0, ""]);
    expect(top.stdout).toContain("Exit codes: 0 done, 1 could not be done, 2 wrong input.");
    expect(command.stdout).toContain("--expires <time>");
  });
});

describe("the exit code", () => {
  it("is 2 with one line when the words make no command", async () => {
    for (const [args, line] of [
      [["tenant"], "error: unknown command 'tenant' (Did you mean tenants?)\n"],
      [["tenants", "list", "--jsno"], "error: unknown option '--jsno' (Did you mean --json?)\n"],
    ] as const)
      expect(await runCli(args)).toEqual({ code: 2, stdout: "", stderr: line });
  });

  it("is 2 with the help when there is no command at all", async () => {
    const ran = await runCli(["keys"]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toMatch(/^Usage: npm run posthorn -- keys /);
  });

  it("is 1 with one line, without the password, when the database cannot be had", async () => {
    const create = (url: string) => runCli(["tenants", "create", "Acme"], { DATABASE_URL: url });
    const away = await create("postgres://me:hunter22@localhost:1/posthorn");
    expect(away).toMatchObject({ code: 1, stdout: "" });
    expect(away.stderr).toMatch(/^error: The database cannot be reached: .*ECONNREFUSED.*\n$/);
    const bad = await create("mysql://me:hunter22@localhost:1/posthorn");
    expect(bad).toMatchObject({ code: 1, stdout: "" });
    expect(bad.stderr).toMatch(/^error: Bad setting DATABASE_URL: .*\n$/);
    expect(away.stderr + bad.stderr).not.toContain("hunter22");
  });
});
