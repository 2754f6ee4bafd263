import { accessSync, constants, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { installedChromium } from "#scripts/chromium.ts";

/** Traces of failed tests go into the clone, or beside it when it belongs to somebody else. */
function outputDir(): string {
  const folder = join(import.meta.dirname, "test-results");
  try {
    accessSync(existsSync(folder) ? folder : import.meta.dirname, constants.W_OK);
    return folder;
  } catch {
    return join(tmpdir(), `posthorn-test-results-${process.getuid?.() ?? 0}`);
  }
}

const chromium = await installedChromium();

export default defineConfig({
  testDir: "e2e",
  outputDir: outputDir(),
  globalSetup: "./e2e/global-setup.ts",
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: "reduce" },
    locale: "en-GB",
    timezoneId: "UTC",
    // A trace costs each test a third more; `playwright test --trace on` makes one.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...chromium,
      // Nothing but the application is reached, whatever a page asks for.
      args: [...chromium.args, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
    },
  },
});
