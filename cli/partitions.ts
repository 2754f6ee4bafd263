import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { DAYS_AHEAD, ensurePartitions, listPartitions } from "#db/partitions.ts";
import { appendAudit, INSTALLATION } from "#server/audit/append-audit.ts";
import { createLogger } from "#server/log/logger.ts";
import { previewRetention } from "#server/retention/preview-retention.ts";
import { beginRetention } from "#server/retention/retention-run.ts";
import { loadSettings } from "#server/settings/settings.ts";
import { change, withDatabase } from "./database.ts";
import { printList } from "./print.ts";

/** `partitions make|list|drop`. */
export function addPartitions(program: Command): void {
  const group = program
    .command("partitions")
    .description(
      "the daily partitions of events, deliveries and attempts, and what has passed its retention",
    );
  group
    .command("make", { isDefault: true })
    .description(
      `make the partitions up to ${DAYS_AHEAD} days ahead that are missing; workers do so every hour`,
    )
    .action(make);
  group
    .command("list")
    .description("list partitions with their size and what the next run of retention does with each")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { partitions, refusals } = await preview(false);
      printList(partitions.map(shown), { json, none: "There are no partitions." });
      tell(refusals);
    });
  group
    .command("drop")
    .description("remove what has passed its retention; workers do so every quarter of an hour")
    .option("--dry-run", "only tell what would be removed, and why")
    .option("--force", "also what is more than expected")
    .action(drop);
}

async function make(): Promise<void> {
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
}

const preview = (isForced: boolean) =>
  withDatabase((db) => previewRetention(db, { days: loadSettings().retentionDays, isForced }));

type Preview = Awaited<ReturnType<typeof previewRetention>>["partitions"][number];

const shown = ({ name, bytes, action, why }: Preview) => ({
  partition: name,
  size: `${(bytes / 2 ** 20).toFixed(1)} MiB`,
  next: action,
  why,
});

/** What is refused makes the command fail. */
function tell(refusals: readonly string[]): void {
  for (const refusal of refusals) console.error(`Refused: ${refusal}.`);
  if (refusals.length === 0) return;
  console.error("Look at what would go with --dry-run --force; --force removes it.");
  process.exitCode = 1;
}

async function drop({ dryRun = false, force = false }: { dryRun?: boolean; force?: boolean }): Promise<void> {
  if (dryRun) {
    const { partitions, refusals } = await preview(force);
    printList(partitions.filter(({ action }) => action !== "keep").map(shown), {
      none: "Nothing has passed its retention.",
    });
    tell(refusals);
    return;
  }
  const requestId = randomUUID();
  const call = { tenantId: INSTALLATION, actor: { kind: "cli" }, requestId, now: () => new Date() } as const;
  await withDatabase(async (db) => {
    const log = createLogger({ name: "cli", level: "silent" });
    const deps = { db, log, note: (...[tx, entry]: NoteArguments) => appendAudit(tx, call, entry) };
    const days = loadSettings().retentionDays;
    const { run, refusals } = await beginRetention(deps, { days, isForced: force, restMs: 0 });
    while (await run?.step());
    await run?.end();
    for (const name of run?.dropped ?? []) console.log(name);
    if (run) console.error(`Dropped ${run.dropped.length} partitions, removed ${run.rows} rows of others.`);
    else if (refusals.length === 0) console.error("A worker is just at it.");
    tell([...refusals, ...(run?.busy ?? []).map((name) => `${name} is in use`)]);
  });
}

type NoteArguments = Parameters<Parameters<typeof beginRetention>[0]["note"]>;
