/** What a caller says of the trace that its request belongs to (W3C Trace Context). */
export interface TraceContext {
  /** 32 lower-case hex digits. */
  traceId: string;
  /** 16 lower-case hex digits: the caller's span. */
  spanId: string;
  isSampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;

/**
 * Reads a `traceparent` header (W3C Trace Context §3.2.2). `undefined` when it is missing or not valid: such a header is
 * as good as none. A version that is not known yet is read by what version 00 says of its beginning (§4.3).
 */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const match = TRACEPARENT.exec(header ?? "");
  if (!match) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", rest] = match;
  if (version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The trace of an event: its id without dashes. Whoever has one has the other. */
export const traceIdOf = (eventId: string): string =>
  eventId.slice(0, 8) +
  eventId.slice(9, 13) +
  eventId.slice(14, 18) +
  eventId.slice(19, 23) +
  eventId.slice(24);

/** The span in which an event was stored: the second half of its id, which in a UUID is never zero. */
export const publishSpanIdOf = (eventId: string): string => traceIdOf(eventId).slice(16);

/**
 * The `traceparent` of a try: the trace (`traceIdOf` its event), the try as the parent of what the receiver does, and whether the trace
 * is recorded.
 */
export const traceparentOf = (
  traceId: string,
  { spanId, isSampled }: { spanId: string; isSampled: boolean },
): string => `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
