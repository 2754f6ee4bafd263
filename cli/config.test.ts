import { describe, expect, it } from "vitest";
import { newRootKey } from "#server/crypto/keyring.ts";
import { describeSettings } from "#server/settings/settings.ts";
import { runCli } from "./test-support.ts";

describe("config", () => {
  it("prints every setting with value, source, meaning and default, and that a secret is set", async () => {
    const keys = newRootKey("k7");
    const { code, stdout, stderr } = await runCli(["config"], { PORT: "8080", ENCRYPTION_KEYS: keys });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain('PORT = "8080"  [environment]\n    TCP port of the web process;');
    expect(stdout).toContain('LOG_LEVEL = "info"  [default]\n');
    expect(stdout).toContain("ENCRYPTION_KEYS = (set; not shown)  [environment]\n");
    expect(stdout).not.toContain(keys.slice(3));
    for (const { name, meaning } of describeSettings()) {
      expect(stdout).toMatch(new RegExp(`^${name} = `, "m"));
      expect(stdout).toContain(`\n    ${meaning}`);
    }
  });

  it("prints JSON, reports every bad setting in one line without its secret, and fails", async () => {
    const bad = { PORT: "70000", DATABASE_URL: "mysql://me:hunter22@db/shop", LOG_LEVEL: "loud" };
    const { code, stdout, stderr } = await runCli(["config", "--json"], bad);
    const settings: { name: string; value: unknown; problem: string | null }[] = JSON.parse(stdout);
    expect(settings.filter(({ problem }) => problem !== null)).toMatchObject([
      { name: "PORT", value: "70000" },
      { name: "DATABASE_URL", value: null },
      { name: "LOG_LEVEL", value: "loud" },
    ]);
    expect(stderr).toMatch(
      /^error: Bad setting PORT: .* Bad setting DATABASE_URL: .* Bad setting LOG_LEVEL: .*\n$/,
    );
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain("hunter");
  });
});
