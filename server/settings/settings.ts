import * as z from "zod";
import { parseRootKeys } from "../crypto/keyring.ts";
import { parseCidrs } from "../domain/address-policy.ts";
import type { TracingSettings } from "../tracing/otlp-tracer.ts";
import { parseOtlpHeaders, tracingSettings } from "./tracing-settings.ts";

const Switch = z.enum(["on", "off"]);
const Port = z.coerce.number().int().min(0).max(65_535);

/** The highest limit that can be set, in units per second. */
export const MAX_RATE = 1_000_000;
const PerSecond = z.coerce.number().int().min(0).max(MAX_RATE);

/** Days of retention: at least one, and at most ten years, which PostgreSQL still plans over. */
export const RetentionDays = z.coerce.number().int().min(1).max(3650);

const checked = (parse: (text: string) => unknown) =>
  z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
    }
  });

/** fetch takes no URL with a password in it, and neither does the log. */
const CollectorUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => new URL(url).username === "" && new URL(url).password === "",
    "has a user name or password",
  )
  .optional();

const list = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** Every setting there is: its rule, its default and, as description, its meaning. */
export const Environment = z.object({
  PORT: Port.default(3000).describe("TCP port of the web process; 0 takes a free one."),
  HOST: z.string().min(1).default("127.0.0.1").describe("Address the web process listens on."),
  PUBLIC_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .transform((url) => new URL(url).origin)
    .optional()
    .describe("Origin under which clients reach the web process. Default: http://HOST:PORT."),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe("PostgreSQL to use in place of the embedded one."),
  POSTHORN_DATA_DIR: z
    .string()
    .min(1)
    .default(".posthorn")
    .describe("Folder of the embedded database, generated keys and logs."),
  POSTHORN_DEMO: Switch.optional().describe(
    "Demo tenants, consumer and traffic. Default: on with the embedded database, else off.",
  ),
  POSTHORN_DEMO_TRAFFIC: Switch.default("on").describe("Whether the demo keeps publishing events."),
  ALLOW_PRIVATE_TARGETS: checked((text) => parseCidrs(list(text)))
    .optional()
    .describe(
      "Comma-separated CIDR ranges that webhooks may reach although they are not public. Default: loopback with the embedded database, else none.",
    ),
  REFUSE_TARGETS: checked((text) => parseCidrs(list(text)))
    .default("")
    .describe(
      "Comma-separated CIDR ranges that webhooks may not reach although they are public, such as those of your own load balancers. This machine's own addresses never are.",
    ),
  RATE_LIMIT_REQUESTS: PerSecond.default(100).describe(
    "Requests per second that each API key or member of staff may make, publishing aside, and twice as many at once; 0 is no limit.",
  ),
  RATE_LIMIT_EVENTS: PerSecond.default(5000).describe(
    "Events per second that each tenant may publish, and twice as many at once; 0 is no limit.",
  ),
  RATE_LIMIT_SIGN_INS: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_RATE)
    .default(10)
    .describe(
      "Sign-ins a minute from each address. Behind a reverse proxy all of the staff come from one address and share them.",
    ),
  RETENTION_DAYS: RetentionDays.default(30).describe(
    "Days for which events, deliveries and attempts are kept, unless a tenant has a number of its own.",
  ),
  RETRY_SCALE: z.coerce
    .number()
    .positive()
    .max(1)
    .default(1)
    .describe("Multiplies every retry delay; for tests and demos."),
  ENCRYPTION_KEYS: checked(parseRootKeys)
    .optional()
    .describe(
      "Root keys, newest first: <id>:<base64 of 32 bytes>, comma-separated. Default: kept in POSTHORN_DATA_DIR/keys.",
    ),
  WORKERS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe("Delivery workers that `npm start` runs. Default: one for each core, four at most."),
  WORKER_METRICS_PORT: Port.optional().describe(
    "TCP port on HOST of a worker's /metrics, /healthz and /readyz; 0 takes a free one. Default: none. `npm start` gives the next ports to further workers; by default it takes free ones.",
  ),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe("Bearer token of /metrics. Default: derived from ENCRYPTION_KEYS."),
  OTEL_EXPORTER_OTLP_ENDPOINT: CollectorUrl.describe(
    "Base URL of an OpenTelemetry collector (OTLP over HTTP, JSON) that spans are told to, under /v1/traces. Default: none, no spans.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: CollectorUrl.describe(
    "The whole URL for spans, in place of the base URL.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: checked(parseOtlpHeaders)
    .optional()
    .describe(
      "Headers for the collector, such as a key: name=value, comma-separated, values percent-encoded.",
    ),
  OTEL_SERVICE_NAME: z.string().min(1).default("posthorn").describe("Name of the service in spans."),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("Share of the events whose traces are recorded, from 0 to 1."),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("Least severity that is logged."),
});

export interface Settings {
  port: number;
  host: string;
  publicOrigin: string | undefined;
  databaseUrl: string | undefined;
  dataDir: string;
  demo: boolean;
  demoTraffic: boolean;
  allowPrivateTargets: string[];
  refuseTargets: string[];
  /** Units per second; 0 is no limit. */
  rateLimits: { requests: number; events: number };
  signInsPerMinute: number;
  retentionDays: number;
  retryScale: number;
  encryptionKeys: string | undefined;
  workers: number | undefined;
  workerMetricsPort: number | undefined;
  metricsToken: string | undefined;
  /** Where spans are told; `undefined` is nowhere. */
  tracing: TracingSettings | undefined;
  logLevel: string;
}

/** A bad setting; the message is one line for the operator and shows no secret. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/** Reads and checks the settings once, at the start of a process. Empty values count as absent. */
export function loadSettings(source: NodeJS.ProcessEnv = process.env): Settings {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(present);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SettingsError(`Bad setting ${issue?.path.join(".")}: ${issue?.message}.`);
  }
  const env = parsed.data;
  const embedded = env.DATABASE_URL === undefined;
  return {
    port: env.PORT,
    host: env.HOST,
    publicOrigin: env.PUBLIC_ORIGIN,
    databaseUrl: env.DATABASE_URL,
    dataDir: env.POSTHORN_DATA_DIR,
    demo: (env.POSTHORN_DEMO ?? (embedded ? "on" : "off")) === "on",
    demoTraffic: env.POSTHORN_DEMO_TRAFFIC === "on",
    allowPrivateTargets: list(env.ALLOW_PRIVATE_TARGETS ?? (embedded ? "127.0.0.0/8,::1/128" : "")),
    refuseTargets: list(env.REFUSE_TARGETS),
    rateLimits: { requests: env.RATE_LIMIT_REQUESTS, events: env.RATE_LIMIT_EVENTS },
    signInsPerMinute: env.RATE_LIMIT_SIGN_INS,
    retentionDays: env.RETENTION_DAYS,
    retryScale: env.RETRY_SCALE,
    encryptionKeys: env.ENCRYPTION_KEYS,
    workers: env.WORKERS,
    workerMetricsPort: env.WORKER_METRICS_PORT,
    metricsToken: env.METRICS_TOKEN,
    tracing: tracingSettings(env),
    logLevel: env.LOG_LEVEL,
  };
}

/** Name, meaning and default of every setting, for `posthorn config` and the docs. */
export function describeSettings(): { name: string; meaning: string; byDefault: string }[] {
  return Object.entries(Environment.shape).map(([name, schema]) => ({
    name,
    meaning: schema.description ?? "",
    byDefault: schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : "",
  }));
}
