import type { Command } from "commander";
import { type InspectedSetting, inspectSettings } from "#server/settings/inspect-settings.ts";
import { UnavailableError } from "./input-error.ts";

/** `config`. Needs no database. */
export function addConfig(program: Command): void {
  program
    .command("config")
    .description("print every setting: value, source, meaning, default; never a secret")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => {
      const settings = inspectSettings();
      if (json) console.log(JSON.stringify(settings.map(asJson), null, 2));
      else for (const setting of settings) printSetting(setting);
      const bad = settings.filter(({ problem }) => problem !== null);
      if (bad.length > 0)
        throw new UnavailableError(
          bad.map(({ name, problem }) => `Bad setting ${name}: ${problem}.`).join(" "),
        );
    });
}

const asJson = ({ name, value, source, secret, meaning, byDefault, problem }: InspectedSetting) => ({
  name,
  value,
  source,
  secret,
  meaning,
  default: byDefault || null,
  problem,
});

function printSetting({ name, value, source, secret, meaning, byDefault, problem }: InspectedSetting): void {
  const kept = secret && source === "environment" ? "(set; not shown)" : "(not set)";
  console.log(`${name} = ${value === null ? kept : JSON.stringify(value)}  [${source}]`);
  console.log(`    ${meaning}${byDefault ? ` Default: ${byDefault}.` : ""}`);
  if (problem !== null) console.log(`    BAD: ${problem}.`);
}
