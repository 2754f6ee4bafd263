import { cpus, totalmem } from "node:os";

/** What a figure is of: a rate per second, a time, sizes, or one figure as a part of another. */
export type Unit = "/s" | "ms" | "µs" | "B" | "MiB" | "×";

/** Tells how far a section is, while it runs. */
export type Say = (text: string) => void;

export interface Row {
  name: string;
  value: number;
  unit: Unit;
  /** What it is measured against, in the same unit and in the same run. */
  limit?: { name: string; value: number };
  /** What the value, or where there is a limit the ratio to it, is to be. */
  wanted?: { atLeast: number } | { atMost: number };
}

/** How many workers a row is of. */
export const processes = (workers: number): string => `${workers} worker process${workers === 1 ? "" : "es"}`;

/** How much of its limit a row's value is. */
export function ratioOf({ value, limit }: Row): number | undefined {
  return limit && value / limit.value;
}

/** Whether a row is as it is wanted; `undefined` where nothing is wanted. */
export function holds(row: Row): boolean | undefined {
  if (!row.wanted) return undefined;
  const figure = ratioOf(row) ?? row.value;
  return "atLeast" in row.wanted ? figure >= row.wanted.atLeast : figure <= row.wanted.atMost;
}

export const MACHINE = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;

const HEAD = ["", "figure", "of", "ratio", "wanted", ""] as const;

/** The rows of a section as a table; with `isMarkdown` for a document. */
export function table(rows: readonly Row[], isMarkdown = false): string {
  const lines = [HEAD, ...rows.map(cellsOf)];
  if (isMarkdown) {
    const [head, ...rest] = lines.map((cells) => `| ${cells.join(" | ")} |`);
    return [head, "|---|--:|---|--:|--:|---|", ...rest].join("\n");
  }
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 || column === 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((cells) => cells.map(pad).join("  ").trimEnd()).join("\n");
}

function cellsOf(row: Row): string[] {
  const ratio = ratioOf(row);
  const { wanted, limit } = row;
  const bound = wanted && ("atLeast" in wanted ? `≥ ${wanted.atLeast}` : `≤ ${wanted.atMost}`);
  const unit = limit || row.unit === "×" ? "" : ` ${row.unit}`;
  const verdict = { true: "holds", false: "DOES NOT HOLD", undefined: "" }[String(holds(row)) as "true"];
  return [
    row.name,
    numberOf(row.value, row.unit),
    limit ? `${limit.name}, ${numberOf(limit.value, row.unit)}` : "",
    ratio === undefined ? "" : ratio.toFixed(2),
    bound ? bound + unit : "",
    verdict,
  ];
}

function numberOf(value: number, unit: Unit): string {
  const digits = unit === "×" ? 2 : Math.abs(value) < 100 && unit !== "/s" ? 1 : 0;
  const text = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit === "/s" ? `${text}/s` : `${text} ${unit}`;
}

/** The value below which a part of a sample lies; NaN of none. */
export function percentile(sample: readonly number[], part: number): number {
  const sorted = sample.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}
