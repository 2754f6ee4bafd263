import type { Attempt } from "#contracts/deliveries.ts";

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

// Within single quotes a shell takes everything literally but the quote itself.
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
