import { writeFileSync } from "node:fs";
import { stopChildren } from "./child.ts";
import { type Ground, openGround } from "./ground.ts";
import { type BenchOptions, estimate, readOptions, UsageError } from "./options.ts";
import { holds, MACHINE, type Row, ratioOf, table } from "./report.ts";

interface Measured {
  name: string;
  title: string;
  rows: Row[];
}

const say = (text: string) => void process.stderr.write(`${text}\n`);

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (typeof options === "string") {
    process.stdout.write(options);
    return 0;
  }
  say(`This takes ${estimate(options)}.`);
  const ground = await openGround(say);
  endOrderly(ground);
  try {
    const measured = await measureAll(ground, options);
    writeFiles(options, ground, measured);
    const missed = measured.flatMap(({ rows }) => rows).filter((row) => holds(row) === false);
    if (missed.length > 0) say(`\n${missed.length} figures are not as they are wanted.`);
    return 0;
  } finally {
    await ground.close();
  }
}

async function measureAll(ground: Ground, options: BenchOptions): Promise<Measured[]> {
  const measured: Measured[] = [];
  const { isFull, bodyBytes, sections } = options;
  for (const [name, { title, measure }] of sections) {
    say(`\n${name}: ${title}`);
    const rows = await measure(ground, { isFull, bodyBytes, say: (text) => say(`  ${text}`) });
    measured.push({ name, title, rows });
    process.stdout.write(`\n${title}\n${table(rows)}\n`);
  }
  process.stdout.write(`\n${captionOf(options, ground)}\n`);
  return measured;
}

const captionOf = ({ bodyBytes, isFull }: BenchOptions, { description }: Ground) =>
  `${isFull ? "Full" : "Quick"} run, events with ${bodyBytes} bytes of text. ${MACHINE}, ${description}.`;

function writeFiles(options: BenchOptions, ground: Ground, measured: readonly Measured[]): void {
  const caption = captionOf(options, ground);
  if (options.json !== undefined) {
    const sections = measured.map(({ rows, ...section }) => ({
      ...section,
      rows: rows.map((row) => ({ ...row, ratio: ratioOf(row), holds: holds(row) })),
    }));
    const text = JSON.stringify({ at: new Date(), caption, sections }, null, 2);
    writeFileSync(options.json, `${text}\n`);
  }
  if (options.markdown !== undefined) {
    const parts = measured.map(({ title, rows }) => `### ${title}\n\n${table(rows, true)}\n`);
    writeFileSync(options.markdown, `${parts.join("\n")}\n${caption}\n`);
  }
}

/** Ctrl-C: what was started ends, and what was made is removed. A second one ends this process at once. */
function endOrderly(ground: Ground): void {
  const end = async (code: number) => {
    say("\nInterrupted: removing what was made.");
    await stopChildren();
    await ground.close().catch((error: unknown) => say(String(error)));
    process.exit(code);
  };
  process.once("SIGINT", () => void end(130));
  process.once("SIGTERM", () => void end(143));
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say(`${error.message} See --help.`);
  process.exitCode = 2;
}
