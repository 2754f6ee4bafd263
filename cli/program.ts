import { Command } from "commander";
import { addConfig } from "./config.ts";
import { addDoctor } from "./doctor.ts";
import { addKeys } from "./keys.ts";
import { addPartitions } from "./partitions.ts";
import { addSecrets } from "./secrets.ts";
import { addTenants } from "./tenants.ts";
import { addTrigger } from "./trigger.ts";
import { addUsers } from "./users.ts";

/** The whole command line. It throws instead of ending the process. */
export function createProgram(): Command {
  const program = new Command("npm run posthorn --")
    .description(
      "Looks after a Posthorn installation: the one of DATABASE_URL, or what `npm start` is running.",
    )
    .exitOverride()
    .configureOutput({
      // One line, whatever advice Commander adds.
      outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, " ")}\n`),
    })
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 could not be done, 2 wrong input. Nothing is ever half done.",
    );
  addConfig(program);
  addDoctor(program);
  addTenants(program);
  addKeys(program);
  addUsers(program);
  addPartitions(program);
  addTrigger(program);
  addSecrets(program);
  return program;
}
