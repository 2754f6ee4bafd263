import type { TraceContext } from "../domain/trace-context.ts";

/** One piece of work that has ended, as OpenTelemetry has it. Attributes hold ids and codes, never what is sent. */
export interface FinishedSpan {
  name: string;
  kind: "server" | "client";
  traceId: string;
  spanId: string;
  /** Another span of the same trace. */
  parentSpanId?: string;
  /** Spans of other traces that led to this one. */
  links?: readonly TraceContext[];
  /** Milliseconds since the epoch. */
  startedAt: number;
  durationMs: number;
  attributes: Readonly<Record<string, string | number>>;
  isError: boolean;
}

/**
 * Where spans go. Whoever has one to tell asks `isEnabled` first, so that nothing is put together for nobody.
 * An exporter is one file that implements this.
 */
export interface Tracer {
  readonly isEnabled: boolean;
  /** Takes a span; must neither block nor throw. */
  record(span: FinishedSpan): void;
}

/** Spans go nowhere. */
export const NO_TRACER: Tracer = { isEnabled: false, record() {} };
