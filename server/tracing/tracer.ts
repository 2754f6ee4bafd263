import type { TraceContext } from "../domain/trace-context.ts";

/** One piece of work that has ended, as OpenTelemetry has it. Attributes hold ids and codes, never what is sent. */
export interface FinishedSpan {
  name: string;
  kind: "server" | "producer" | "client";
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

/** What has become of spans so far. */
export interface SpanFigures {
  exported: number;
  /** By reason: more waited than may, or the collector did not take them. */
  dropped: { full: number; failed: number };
}

/**
 * Where spans go. Whoever has one to tell asks `isEnabled` first, so that nothing is put together for nobody.
 * An exporter is one file that implements this.
 */
export interface Tracer {
  readonly isEnabled: boolean;
  /** Whether a trace that begins here is recorded; the same in every process. */
  samples(traceId: string): boolean;
  /** Takes a span; neither blocks nor throws. */
  record(span: FinishedSpan): void;
  figures(): SpanFigures;
  /** Ends when what was taken is told, or cannot be told in time. */
  close(): Promise<void>;
}

/** Spans go nowhere. Receivers are told that traces are recorded all the same: they may record their part. */
export const NO_TRACER: Tracer = {
  isEnabled: false,
  samples: () => true,
  record() {},
  figures: () => ({ exported: 0, dropped: { full: 0, failed: 0 } }),
  close: async () => {},
};
