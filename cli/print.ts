/** A value as one cell: nothing a terminal would act on, and no line break. */
function cell(value: unknown): string {
  const text = Array.isArray(value) ? value.join(",") : value === null ? "-" : String(value);
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

/**
 * Prints a list: as JSON when that was asked for, else as a table with a column for each member of its items. An empty
 * table says `none` on standard error.
 */
export function printList(
  items: readonly Record<string, unknown>[],
  { json, none }: { json?: boolean | undefined; none: string },
): void {
  if (json) {
    console.log(JSON.stringify(items, null, 2));
    return;
  }
  const [first] = items;
  if (!first) {
    console.error(none);
    return;
  }
  const names = Object.keys(first);
  const rows = [names, ...items.map((item) => names.map((name) => cell(item[name])))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/** Prints what was made on standard output, alone, so that a script can take it; what there is to know goes beside it. */
export function printMade(made: string, note: string): void {
  console.log(made);
  console.error(note);
}
