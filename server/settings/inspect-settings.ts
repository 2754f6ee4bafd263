import { describeSettings, Environment } from "./settings.ts";

/** One setting as it stands in a process's environment. */
export interface InspectedSetting {
  name: string;
  meaning: string;
  /** Empty when it has no fixed one; the meaning tells then what holds. */
  byDefault: string;
  source: "environment" | "default";
  /** As it is set, else the default; `null` when there is neither, or when it would show a secret. */
  value: string | null;
  /** Whether the value is kept back. */
  secret: boolean;
  /** What is wrong with the value; shows none of it that is secret. */
  problem: string | null;
}

const SECRET = new Set(["DATABASE_URL", "ENCRYPTION_KEYS", "METRICS_TOKEN", "OTEL_EXPORTER_OTLP_HEADERS"]);

/** Every setting with its value, where that comes from, and what is wrong with it. Empty values count as absent. */
export function inspectSettings(source: NodeJS.ProcessEnv = process.env): InspectedSetting[] {
  const rules: Record<string, { safeParse(value: unknown): Outcome }> = Environment.shape;
  return describeSettings().map(({ name, meaning, byDefault }) => {
    const text = source[name] || undefined;
    const outcome = rules[name]?.safeParse(text);
    const value = text ?? (byDefault || null);
    return {
      name,
      meaning,
      byDefault,
      source: text === undefined ? "default" : "environment",
      value: SECRET.has(name) ? shownOf(name, value) : value,
      secret: SECRET.has(name),
      problem: outcome?.error?.issues[0]?.message ?? null,
    };
  });
}

interface Outcome {
  error?: { issues: { message: string }[] } | undefined;
}

/** Of a database URL: where it leads, without the password and the parameters, one of which may be another. */
function shownOf(name: string, value: string | null): string | null {
  if (name !== "DATABASE_URL" || value === null || !URL.canParse(value)) return null;
  const { protocol, username, host, pathname } = new URL(value);
  if (!/^postgres(ql)?:$/.test(protocol)) return null;
  return `${protocol}//${username ? `${username}@` : ""}${host}${pathname}`;
}
