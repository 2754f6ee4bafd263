/** Rows as CSV (RFC 4180), with a line of names. */
export function csvText<N extends string>(
  columns: readonly N[],
  rows: readonly Readonly<Record<N, unknown>>[],
): string {
  const lines = rows.map((row) => columns.map((name) => csvCell(row[name])).join(","));
  return `${[columns.join(","), ...lines].join("\r\n")}\r\n`;
}

/**
 * A cell of CSV; what is no plain value stands as JSON. One that a spreadsheet would take for a formula gets an apostrophe
 * before it, and then is text: names and URLs are chosen by others.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const whole = typeof value === "object" ? JSON.stringify(value) : String(value);
  const text = /^[=+\-@\t\r]/.test(whole) ? `'${whole}` : whole;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
