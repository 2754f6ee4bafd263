import { describe, expect, it } from "vitest";
import { describeSettings, loadSettings, SettingsError } from "./settings.ts";

const environment = (values: Record<string, string>) => values as unknown as NodeJS.ProcessEnv;
const load = (values: Record<string, string> = {}) => loadSettings(environment(values));

function refusal(values: Record<string, string>): string {
  try {
    load(values);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error("was accepted");
}

describe("settings", () => {
  it("have defaults for the embedded database: loopback may be reached, the demo runs", () => {
    expect(load()).toEqual({
      port: 3000,
      host: "127.0.0.1",
      publicOrigin: undefined,
      databaseUrl: undefined,
      dataDir: ".posthorn",
      demo: true,
      demoTraffic: true,
      allowPrivateTargets: ["127.0.0.0/8", "::1/128"],
      refuseTargets: [],
      rateLimits: { requests: 100, events: 5000 },
      signInsPerMinute: 10,
      retryScale: 1,
      encryptionKeys: undefined,
      retentionDays: 30,
      workers: undefined,
      workerMetricsPort: undefined,
      metricsToken: undefined,
      tracing: undefined,
      logLevel: "info",
    });
  });

  it("are strict with a database of one's own: no private address, no demo, unless asked for", () => {
    const DATABASE_URL = "postgres://posthorn@db/posthorn";
    expect(load({ DATABASE_URL })).toMatchObject({
      databaseUrl: DATABASE_URL,
      demo: false,
      allowPrivateTargets: [],
    });
    const asked = load({
      DATABASE_URL,
      POSTHORN_DEMO: "on",
      ALLOW_PRIVATE_TARGETS: " 10.0.0.0/8 , fd00::/8 ",
    });
    expect(asked).toMatchObject({ demo: true, allowPrivateTargets: ["10.0.0.0/8", "fd00::/8"] });
  });

  it("know the collector of traces by the names that OpenTelemetry has given", () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = "http://collector:4318/";
    const byBase = {
      url: "http://collector:4318/v1/traces",
      headers: {},
      service: "posthorn",
      sampleRatio: 1,
    };
    expect(load({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toEqual(byBase);
    const all = {
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/otlp?x=1",
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20abc%3D, x-scope = shop ,",
      OTEL_SERVICE_NAME: "shop-webhooks",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    };
    expect(load(all).tracing).toEqual({
      url: "https://traces.example/otlp?x=1",
      headers: { authorization: "Bearer abc=", "x-scope": "shop" },
      service: "shop-webhooks",
      sampleRatio: 0.25,
    });
  });

  it("count empty values as absent", () => {
    expect(load({ PORT: "", DATABASE_URL: "", LOG_LEVEL: " ", RETRY_SCALE: " " })).toEqual(load());
  });

  it("read the public origin without path and slash", () => {
    expect(load({ PUBLIC_ORIGIN: "https://hooks.example.com/" }).publicOrigin).toBe(
      "https://hooks.example.com",
    );
  });

  it.each([
    ["PORT", "70000"],
    ["PORT", "http"],
    ["PUBLIC_ORIGIN", "ftp://example.com"],
    ["DATABASE_URL", "mysql://root:geheim@db/x"],
    ["DATABASE_URL", "geheim"],
    ["POSTHORN_DEMO", "yes"],
    ["ALLOW_PRIVATE_TARGETS", "10.0.0.0/64"],
    ["REFUSE_TARGETS", "example.com"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://user:secret@collector/"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "just-a-key"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%zz"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=b%0d%0ac"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["RATE_LIMIT_REQUESTS", "-1"],
    ["RATE_LIMIT_EVENTS", "1.5"],
    ["RATE_LIMIT_SIGN_INS", "0"],
    ["RETRY_SCALE", "0"],
    ["RETRY_SCALE", "2"],
    ["ENCRYPTION_KEYS", "k1:geheim"],
    ["METRICS_TOKEN", "geheim"],
    ["LOG_LEVEL", "loud"],
  ])("refuse %s=%s in one line that names it and shows no secret", (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(`Bad setting ${name}: `);
    expect(message).not.toContain("\n");
    expect(message).not.toContain("geheim");
  });

  it("are described, each with its meaning", () => {
    const described = describeSettings();
    expect(described.length).toBeGreaterThan(10);
    for (const { name, meaning } of described) {
      expect(name).toMatch(/^[A-Z_]+$/);
      expect(meaning).toMatch(/\.$/);
    }
    expect(described).toContainEqual(expect.objectContaining({ name: "PORT", byDefault: "3000" }));
  });
});
