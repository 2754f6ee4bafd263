import type { Command } from "commander";
import { DAYS_AHEAD, ensurePartitions, listPartitions } from "#db/partitions.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { change } from "./database.ts";

/** `partitions`. */
export function addPartitions(program: Command): void {
  program
    .command("partitions")
    .description(
      `make the partitions up to ${DAYS_AHEAD} days ahead that are missing; workers do so every hour`,
    )
    .action(async () => {
      const made = await change(async (tx, note, now) => {
        const before = await listPartitions(tx);
        await ensurePartitions(tx, now);
        const names = [...(await listPartitions(tx))].filter((name) => !before.has(name)).sort();
        if (names.length > 0)
          await note(INSTALLATION, { action: "partitions.create", target: "partitions", after: names });
        return names;
      });
      for (const name of made) console.log(name);
      console.error(made.length > 0 ? `Made ${made.length} partitions.` : "No partition was missing.");
    });
}
