/** Stands where a header's value is: no header can have it, since it is not ASCII. */
export const MASKED_VALUE = "••••••••";

const MAX_HEADERS = 20;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const VALUE = /^[\x20-\x7e]{0,1024}$/;

/** What belongs to the connection, or says what the delivery is. */
const RESERVED = new Set([
  ...["host", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "expect", "date"],
  ...["cookie", "user-agent", "accept-encoding", "forwarded", "via"],
  ...["x-delivery", "x-event", "x-attempt", "traceparent", "tracestate"],
]);
const RESERVED_PREFIXES = ["content-", "proxy-", "x-forwarded-", "x-signature", "webhook-"];

export interface HeaderDefect {
  /** Absent where it is not one header that is at fault. */
  name?: string;
  reason: string;
}

/** What is wrong with the further request headers of an endpoint; nothing when they can be sent as they are. */
export function headerDefects(headers: Readonly<Record<string, string>>): HeaderDefect[] {
  const entries = Object.entries(headers);
  const seen = new Set<string>();
  const defects: HeaderDefect[] = entries.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const reason =
      nameDefect(lower) ?? (seen.has(lower) ? "is there in another spelling" : valueDefect(value));
    seen.add(lower);
    return reason === null ? [] : [{ name, reason }];
  });
  return entries.length > MAX_HEADERS
    ? [{ reason: `must be at most ${MAX_HEADERS} headers` }, ...defects]
    : defects;
}

/** Headers as they are shown: which there are, and nothing of what they hold. */
export function maskedHeaders(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, MASKED_VALUE]));
}

function nameDefect(lower: string): string | null {
  if (!NAME.test(lower)) return "the name must be a token (RFC 9110 §5.6.2) of at most 64 characters";
  const isReserved = RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
  return isReserved ? "is not yours to set" : null;
}

function valueDefect(value: string): string | null {
  return VALUE.test(value) ? null : "must be visible ASCII and spaces, at most 1024 characters";
}
