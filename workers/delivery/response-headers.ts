/** What helps to understand an answer and carries no credential. Everything else is dropped unread. */
const KEPT = new Set([
  "allow",
  "cache-control",
  "cf-ray",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "fly-request-id",
  "location",
  "retry-after",
  "server",
  "via",
  "x-amz-cf-id",
  "x-amzn-requestid",
  "x-amzn-trace-id",
  "x-cache",
  "x-correlation-id",
  "x-request-id",
  "x-vercel-id",
]);
const MAX_VALUE_LENGTH = 256;
const UNPRINTABLE = /[^\x20-\x7e]/;

/** Puts a header among those `kept` if it is worth that: values joined, of at most 256 printable characters. */
export function keepHeader(kept: Record<string, string>, name: string, value: string): void {
  if (!KEPT.has(name)) return;
  const before = kept[name];
  kept[name] = printable(before === undefined ? value : `${before}, ${value}`);
}

function printable(value: string): string {
  const text = value.length > MAX_VALUE_LENGTH ? value.slice(0, MAX_VALUE_LENGTH) : value;
  return UNPRINTABLE.test(text) ? text.replaceAll(/[^\x20-\x7e]/g, "?") : text;
}
