/** One line of a scrape. */
export interface Sample {
  name: string;
  /** As they are spelt, sorted. */
  labels: string;
  value: number;
}

/** What Prometheus' text format says (version 0.0.4). */
export interface Exposition {
  samples: Sample[];
  /** By name of the metric. */
  types: Map<string, string>;
  helps: Map<string, string>;
  /** The value of a sample: `value("a_total", { b: "c" })`; `undefined` when there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** Reads a scrape; throws on a line that is none of the format. */
export function parseExposition(text: string): Exposition {
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  const helps = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, kind, about = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind) {
      const told = kind === "HELP" ? helps : types;
      if (told.has(about)) throw new Error(`${kind} of ${about} is told twice`);
      told.set(about, rest);
    } else if (line !== "") {
      const match = SAMPLE.exec(line);
      if (!match) throw new Error(`no line of the format: ${line}`);
      const [, name = "", labels = "", value = ""] = match;
      samples.push({ name, labels: labels.split(",").sort().join(","), value: Number(value) });
    }
  }
  return {
    samples,
    types,
    helps,
    value(name, labels = {}) {
      const spelt = Object.entries(labels)
        .map(([label, value]) => `${label}="${value}"`)
        .sort()
        .join(",");
      return samples.find((sample) => sample.name === name && sample.labels === spelt)?.value;
    },
  };
}

/** Of an event loop that has had no turn since the last scrape; prom-client says that it is no number. */
const LAG = /^nodejs_eventloop_lag_/;
// Of prom-client: gauges that are named as if they were counters.
const FOREIGN = /^nodejs_active_\w+_total$/;
const SUFFIX = /_(bucket|sum|count)$/;

/** What is wrong with a scrape by the conventions of Prometheus, as `promtool check metrics` would tell. */
export function lintExposition({ samples, types, helps }: Exposition): string[] {
  const defects: string[] = [];
  const familyOf = (name: string) => (types.has(name) ? name : name.replace(SUFFIX, ""));
  const seen = new Set<string>();
  for (const { name, labels, value } of samples) {
    const series = `${name}{${labels}}`;
    if (seen.has(series)) defects.push(`${series} is there twice`);
    seen.add(series);
    if (!types.has(familyOf(name))) defects.push(`${name} has no TYPE`);
    if (Number.isNaN(value) && !LAG.test(name)) defects.push(`${series} is no number`);
    const isOfHistogram = types.get(familyOf(name)) === "histogram";
    if (/\b(le|quantile)=/.test(labels) && !isOfHistogram && types.get(name) !== "summary")
      defects.push(`${series} has a label that is kept for histograms`);
  }
  for (const [name, type] of types) {
    if (FOREIGN.test(name)) continue;
    if (!helps.get(name)?.trim()) defects.push(`${name} has no HELP`);
    if (!/^[a-z][a-z0-9_]*$/.test(name)) defects.push(`${name} is not in snake case`);
    if (name.endsWith("_total") !== (type === "counter"))
      defects.push(`${name} is a ${type}: counters alone end in _total`);
    if (/_(ms|millis|milliseconds|minutes|hours|kb|kilobytes|mb|megabytes|percent)(_|$)/.test(name))
      defects.push(`${name} is not in base units`);
    if (SUFFIX.test(name)) defects.push(`${name} ends as a part of a histogram does`);
    if (type === "histogram") defects.push(...lintHistogram(name, samples));
  }
  return defects;
}

function lintHistogram(name: string, samples: readonly Sample[]): string[] {
  const defects: string[] = [];
  const withoutBound = ({ labels }: Sample) => labels.replace(/(^|,)le="[^"]*"/, "").replace(/^,/, "");
  const buckets = Map.groupBy(
    samples.filter((sample) => sample.name === `${name}_bucket`),
    withoutBound,
  );
  for (const [labels, mine] of buckets) {
    if (mine.some(({ value }, at) => value < (mine[at - 1]?.value ?? 0)))
      defects.push(`${name}{${labels}}: buckets are not cumulative`);
    const last = mine.at(-1);
    const count = samples.find((sample) => sample.name === `${name}_count` && sample.labels === labels);
    if (!last?.labels.includes('le="+Inf"') || last.value !== count?.value)
      defects.push(`${name}{${labels}}: the last bucket is not the count`);
    if (!samples.some((sample) => sample.name === `${name}_sum` && sample.labels === labels))
      defects.push(`${name}{${labels}}: no sum`);
  }
  return defects;
}
