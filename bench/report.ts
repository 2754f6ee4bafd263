import { cpus } from "node:os";

export interface Row {
  name: string;
  perSecond: number;
  /** Of the limit that was measured in the same round. */
  ratio: number;
}

/** Prints the figures as a table, with what they were measured on. */
export function printTable(rows: readonly Row[], caption: string): void {
  const width = Math.max(...rows.map((row) => row.name.length));
  const line = (name: string, rate: string, ratio: string) =>
    `${name.padEnd(width)}  ${rate.padStart(10)}  ${ratio.padStart(6)}\n`;
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "CPU"}, Node ${process.versions.node}`;
  process.stdout.write(`\n${line("", "per second", "ratio")}`);
  for (const row of rows)
    process.stdout.write(
      line(row.name, Math.round(row.perSecond).toLocaleString("en"), row.ratio.toFixed(2)),
    );
  process.stdout.write(`\n${caption}\n${machine}\n`);
}
