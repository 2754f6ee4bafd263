import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { installedChromium } from "#scripts/chromium.ts";

const chromium = await installedChromium();

export default defineConfig({
  testDir: "e2e",
  globalSetup: existsSync("scripts/start.ts") ? "./e2e/global-setup.ts" : undefined,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 2,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: "reduce" },
    locale: "en-GB",
    timezoneId: "UTC",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      ...chromium,
      // Nothing but the application is reached, whatever a page asks for.
      args: [...chromium.args, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
    },
  },
});
