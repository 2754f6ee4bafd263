import { describe, expect, it } from "vitest";
import { newRootKey } from "../crypto/keyring.ts";
import { inspectSettings } from "./inspect-settings.ts";
import { describeSettings } from "./settings.ts";

const SECRETS = {
  DATABASE_URL: "postgres://me:hunter22@db.internal:5433/shop?sslmode=require&password=hunter33",
  ENCRYPTION_KEYS: newRootKey("k7"),
  METRICS_TOKEN: "a-token-of-some-length",
};

const inspect = (given: Record<string, string>) => {
  const list = inspectSettings({ NODE_ENV: "test", ...given });
  return { list, of: (name: string) => list.find((each) => each.name === name) };
};

describe("inspectSettings", () => {
  it("tells every setting with value, source, meaning and default", () => {
    const { list, of } = inspect({ PORT: "8080", LOG_LEVEL: "" });
    expect(list.map(({ name, meaning, byDefault }) => ({ name, meaning, byDefault }))).toEqual(
      describeSettings(),
    );
    expect(of("PORT")).toMatchObject({
      value: "8080",
      source: "environment",
      byDefault: "3000",
      problem: null,
    });
    expect(of("LOG_LEVEL")).toMatchObject({ value: "info", source: "default", byDefault: "info" });
    expect(of("DATABASE_URL")).toMatchObject({ value: null, source: "default", byDefault: "" });
  });

  it("shows no secret, good or bad", () => {
    const { list, of } = inspect(SECRETS);
    expect(of("DATABASE_URL")).toMatchObject({ value: "postgres://me@db.internal:5433/shop", secret: true });
    expect(of("ENCRYPTION_KEYS")).toMatchObject({ value: null, source: "environment", secret: true });
    const bad = inspect({
      DATABASE_URL: "mysql://me:hunter22@db/shop",
      ENCRYPTION_KEYS: "k1:hunter22",
      METRICS_TOKEN: "hunter22",
    });
    const text = JSON.stringify([list, bad.list]);
    for (const hidden of ["hunter", SECRETS.METRICS_TOKEN, SECRETS.ENCRYPTION_KEYS.slice(3)])
      expect(text).not.toContain(hidden);
    expect(bad.list.filter(({ problem }) => problem !== null)).toHaveLength(3);
  });

  it("says what is wrong with each bad value", () => {
    const { of } = inspect({
      PORT: "70000",
      PUBLIC_ORIGIN: "posthorn",
      ALLOW_PRIVATE_TARGETS: "10.0.0.0/40",
    });
    expect(of("PORT")).toMatchObject({ value: "70000", problem: expect.stringContaining("65535") });
    expect(of("PUBLIC_ORIGIN")?.problem).not.toBeNull();
    expect(of("ALLOW_PRIVATE_TARGETS")?.problem).toContain("10.0.0.0/40");
    expect(of("HOST")?.problem).toBeNull();
  });
});
