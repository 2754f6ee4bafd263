import type { IncomingHttpHeaders } from "node:http";

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

/** The headers of an answer that are worth keeping, each value of at most 256 printable characters. */
export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && KEPT.has(name)) kept[name] = printable(value);
  }
  return kept;
}

function printable(value: string | string[]): string {
  const text = (typeof value === "string" ? value : value.join(", ")).slice(0, MAX_VALUE_LENGTH);
  return UNPRINTABLE.test(text) ? text.replaceAll(/[^\x20-\x7e]/g, "?") : text;
}
