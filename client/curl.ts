import type { Attempt } from "#contracts/deliveries.ts";
import { textAt } from "./json-scan.ts";

// curl makes these itself.
const OWN_HEADERS = new Set(["host", "content-length", "connection", "transfer-encoding"]);

/** The request of an attempt as a command line for a POSIX shell; the body byte for byte. */
export function curlOf({ method, url, headers, body }: Attempt["request"]): string {
  const lines = [`curl -X ${method} ${quoted(url)}`];
  for (const [name, value] of Object.entries(headers))
    if (!OWN_HEADERS.has(name.toLowerCase())) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  // `--data-raw` would read nothing from files, and changes no line break.
  lines.push(`--data-raw ${quoted(body)}`);
  return lines.join(" \\\n  ");
}

/** A command line that publishes an event like `text`, with the same type and the same data letter for letter. */
export function curlOfEvent(text: string, apiUrl: string): string {
  const body = `{"type":${textAt(text, "/type")},"data":${textAt(text, "/data")}}`;
  return [
    `curl -X POST ${quoted(`${apiUrl}/events`)}`,
    `-H "Authorization: Bearer $POSTHORN_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${quoted(body)}`,
  ].join(" \\\n  ");
}

// Within single quotes a shell takes everything literally but the quote itself.
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
