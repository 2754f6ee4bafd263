import { parseArgs } from "node:util";
import { SECTIONS, type Section } from "./sections.ts";

export interface BenchOptions {
  sections: [name: string, section: Section][];
  isFull: boolean;
  bodyBytes: number;
  json: string | undefined;
  markdown: string | undefined;
}

/** What was asked for cannot be done; the message says what can. */
export class UsageError extends Error {}

const NAMES = Object.keys(SECTIONS);

const HELP = `npm run bench -- [options]

Each figure is measured beside its limit, in the same run, because machines differ. Uses the PostgreSQL server of
DATABASE_URL, in databases of its own that are removed at the end, or else an embedded one.

  --only NAMES      sections to run, separated by commas; see --list
  --list            list the sections and end
  --quick           small sizes, a few minutes; the default
  --full            a backlog of a million, ten million attempts stored; says beforehand how long it takes
  --body BYTES      size of an event's data, default 1024
  --json FILE       write the figures to a file
  --markdown FILE   write the tables to a file
  -h, --help        this text
`;

const OPTIONS = {
  only: { type: "string" },
  list: { type: "boolean" },
  quick: { type: "boolean" },
  full: { type: "boolean" },
  body: { type: "string", default: "1024" },
  json: { type: "string" },
  markdown: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Reads the command line. Gives the text to print when that is all that was asked for. Throws a `UsageError`. */
export function readOptions(args: readonly string[]): BenchOptions | string {
  const { values } = parse(args);
  if (values.help) return HELP;
  if (values.list) return listing();
  if (values.quick && values.full) throw new UsageError("--quick and --full exclude each other.");
  const bodyBytes = Number(values.body);
  if (!/^\d+$/.test(values.body) || bodyBytes > 200_000)
    throw new UsageError(`--body takes a number of bytes from 0 to 200000, not "${values.body}".`);
  const names = values.only === undefined ? NAMES : values.only.split(",").map((name) => name.trim());
  const sections = names.map((name): [string, Section] => {
    const section = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
    if (!section) throw new UsageError(`There is no section "${name}". There are ${NAMES.join(", ")}.`);
    return [name, section];
  });
  const { json, markdown } = values;
  return { sections, isFull: values.full ?? false, bodyBytes, json, markdown };
}

/** How long a run takes and what it needs on the disk, roughly. */
export function estimate({ sections, isFull }: BenchOptions): string {
  const takes = sections.map(([, section]) => section.takes[isFull ? "full" : "quick"]);
  const minutes = takes.reduce((sum, [each]) => sum + each, 0);
  // One section after the other: each removes what it has stored.
  const mib = Math.max(...takes.map(([, each]) => each));
  return `about ${minutes} min on two cores, and up to ${mib.toLocaleString("en")} MiB on the disk`;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function listing(): string {
  return Object.entries(SECTIONS)
    .map(([name, { title, takes }]) => {
      const times = `${takes.quick[0]} min, with --full ${takes.full[0]} min`;
      return `${name.padEnd(10)}${title} (${times})\n`;
    })
    .join("");
}
