import type { Registry } from "prom-client";
import type { SpanFigures } from "../tracing/tracer.ts";
import { registerRead } from "./tally.ts";

/** What has become of this process's spans. */
export function tracingMetrics(registry: Registry, read: () => SpanFigures): void {
  registerRead(
    registry,
    { name: "posthorn_spans_exported_total", help: "Spans that the trace collector took." },
    "counter",
    () => [{ labels: {}, value: read().exported }],
  );
  registerRead(
    registry,
    {
      name: "posthorn_spans_dropped_total",
      help: "Spans that were dropped, by reason: full, more waited than may; failed, the collector did not take them.",
    },
    "counter",
    () => Object.entries(read().dropped).map(([reason, value]) => ({ labels: { reason }, value })),
  );
}
