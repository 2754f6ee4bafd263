import type { Metric, Registry } from "prom-client";

/** What names and describes a metric. */
export interface MetricName {
  /** With its unit, and `_total` for a counter. */
  name: string;
  help: string;
}

type Labels = Readonly<Record<string, string>>;

interface Sample {
  metricName?: string;
  labels?: Labels;
  value: number;
}

/**
 * Registers a metric that is put together when it is scraped. prom-client's own counters and histograms take about a
 * microsecond for each observation; what is counted for every delivery is counted in plain numbers and told this way.
 */
export function registerRead(
  registry: Registry,
  { name, help }: MetricName,
  type: "counter" | "gauge" | "histogram",
  read: () => readonly Sample[],
): void {
  const metric = {
    name,
    help,
    type,
    aggregator: "sum",
    get: async () => ({ name, help, type, values: read() }),
  };
  // The registry asks no more of a metric than its name and `get`.
  registry.registerMetric(metric as unknown as Metric);
}

/** Counts by one or two labels, whose values must be few whatever happens. */
export class Tally {
  readonly #names: readonly [string] | readonly [string, string];
  readonly #counts = new Map<string, Map<string, number>>();

  constructor(...names: [string] | [string, string]) {
    this.#names = names;
  }

  add(count: number, first: string, second = ""): void {
    let counts = this.#counts.get(first);
    if (!counts) {
      counts = new Map();
      this.#counts.set(first, counts);
    }
    counts.set(second, (counts.get(second) ?? 0) + count);
  }

  samples(): Sample[] {
    const [one, two] = this.#names;
    return [...this.#counts].flatMap(([first, counts]) =>
      [...counts].map(([second, value]) => ({
        labels: two === undefined ? { [one]: first } : { [one]: first, [two]: second },
        value,
      })),
    );
  }
}

/** A histogram in plain numbers: counts between bounds, of what was observed in one unit. */
export class Distribution {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** `bounds` rise; what is above the last is counted too. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  /** As Prometheus has a histogram: cumulative counts, sum and count. */
  samples(name: string, labels: Labels = {}): Sample[] {
    let seen = 0;
    const buckets = this.#counts.map((count, at) => {
      seen += count;
      const le = at < this.#bounds.length ? String(this.#bounds[at]) : "+Inf";
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: seen };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: seen },
    ];
  }
}
