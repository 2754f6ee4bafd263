/** Markdown in a template: backslashes stand for themselves, but that before a backtick, which only lets it be written. */
export function md(parts: TemplateStringsArray, ...values: unknown[]): string {
  return String.raw(parts, ...values)
    .replaceAll("\\`", "`")
    .trim();
}

/** A block of shell commands, to the byte. */
export function sh(parts: TemplateStringsArray, ...values: unknown[]): string {
  return `\`\`\`sh\n${String.raw(parts, ...values).trim()}\n\`\`\``;
}

/** A table of Markdown; cells are Markdown within one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
