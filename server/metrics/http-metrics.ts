import { Counter, Histogram, type Registry } from "prom-client";

/** A request of the API that has been answered. */
export interface AnsweredRequest {
  /** Id of the operation; `undefined` when the path or the method is none of ours. */
  operation: string | undefined;
  status: number;
  /** Until the answer was ready to be written. */
  durationMs: number;
}

// Up to the longest a client may ask to wait: 30 s of long polling.
const BUCKETS_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The figures of one operation, looked up once: an observation hashes no labels. */
interface Series {
  /** By status class: `byClass[2]` counts 2xx. */
  byClass: Counter.Internal[];
  duration: Histogram.Internal<"operation">;
}

/**
 * Counts and times the requests of the API. Labels are operation ids and status classes, both of which are few however
 * clients behave.
 */
export function httpMetrics(registry: Registry): (request: AnsweredRequest) => void {
  const total = new Counter({
    name: "posthorn_http_requests_total",
    help: "Requests of the API that were answered, by operation and class of status.",
    labelNames: ["operation", "status"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "posthorn_http_request_duration_seconds",
    help: "Time until the answer was ready, by operation.",
    labelNames: ["operation"],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const known = new Map<string, Series>();
  const seriesOf = (operation: string): Series => {
    let series = known.get(operation);
    if (!series) {
      series = { byClass: [], duration: duration.labels(operation) };
      known.set(operation, series);
    }
    return series;
  };

  return ({ operation = "none", status, durationMs }) => {
    const series = seriesOf(operation);
    const statusClass = Math.floor(status / 100);
    series.byClass[statusClass] ??= total.labels(operation, `${statusClass}xx`);
    series.byClass[statusClass].inc();
    series.duration.observe(durationMs / 1000);
  };
}
