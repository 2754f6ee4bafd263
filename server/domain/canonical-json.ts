/** The spelling of a number, kept because reading it could round it. */
class Spelling {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * JSON text in one form: members sorted, no white space, strings in their shortest spelling. Numbers stay as they were
 * spelled, so that big integers differ. `text` must be valid JSON of a sane depth.
 */
export function canonicalJson(text: string): string {
  const keepNumbers = (_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? new Spelling(context?.source ?? String(value)) : value;
  return write(JSON.parse(text, keepNumbers));
}

function write(value: unknown): string {
  if (value instanceof Spelling) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, part]) => `${JSON.stringify(name)}:${write(part)}`).join(",")}}`;
}
