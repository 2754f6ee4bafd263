import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { describeSettings } from "#server/settings/settings.ts";
import { createProgram } from "./program.ts";

const page = (name: string) => readFileSync(join(import.meta.dirname, "..", "docs", name), "utf8");

/** How a command is called, as the docs spell it: `keys revoke <tenant> <key>`. */
function usages(command: Command, path: string[] = []): string[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((each) => usages(each, [...path, each.name()]));
  const names = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  return [[...path, ...names, ...options].join(" ")];
}

describe("the docs", () => {
  it("tell how every command is called, and of no other", () => {
    const rows = [
      ...page("cli.md").matchAll(
        /^\| `((?:config|doctor|partitions|secrets|tenants|keys|users|trigger)\b[^`]*)` \|/gm,
      ),
    ];
    expect(rows.map(([, usage]) => usage).sort()).toEqual(usages(createProgram()).sort());
  });

  it("tell every setting as the settings themselves do", () => {
    const inCell = (text: string) => text.replace(/[<>|]/g, "\\$&");
    const wanted = describeSettings().map(({ name, meaning, byDefault }) =>
      `| \`${name}\` | ${inCell(meaning)} | ${byDefault && `\`${byDefault}\``} |`.replace("|  |", "| |"),
    );
    const rows = page("operations.md")
      .split("\n")
      .filter((line) => /^\| `[A-Z_]+` \|/.test(line));
    expect(rows).toEqual(wanted);
  });
});
