import type { TracingSettings } from "../tracing/otlp-tracer.ts";

/** What the environment says about tracing, by the names that OpenTelemetry has given. */
export interface TracingEnvironment {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  OTEL_SERVICE_NAME: string;
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** Where spans go; `undefined` when nobody wants them. The endpoint for traces is taken as it is, the general one is a base. */
export function tracingSettings(env: TracingEnvironment): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = env;
  if (base === undefined && own === undefined) return undefined;
  return {
    url: own ?? `${base?.replace(/\/+$/, "")}/v1/traces`,
    headers: parseOtlpHeaders(env.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
    service: env.OTEL_SERVICE_NAME,
    sampleRatio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** Reads `name=value,name=value`, values percent-encoded (W3C Baggage). Throws an Error that shows no value. */
export function parseOtlpHeaders(text: string): Record<string, string> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair, index) => {
      const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([\x20-\x7e]*?)\s*$/.exec(pair) ?? [];
      if (name === undefined || value === undefined) throw new Error(`header ${index + 1} is not name=value`);
      return [name.toLowerCase(), decoded(value, index + 1)];
    }),
  );
}

function decoded(value: string, index: number): string {
  let text: string | undefined;
  try {
    text = decodeURIComponent(value);
  } catch {
    // Told below.
  }
  if (text === undefined || !/^[\x20-\x7e]*$/.test(text))
    throw new Error(`the value of header ${index} is not percent-encoded visible text`);
  return text;
}
