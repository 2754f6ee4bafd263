import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { installedChromium } from "./chromium.ts";

const usage =
  "usage: node scripts/screenshot.ts <url> <out.png> [--dark] [--full] [--width 1280] [--height 800]";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    dark: { type: "boolean" },
    full: { type: "boolean" },
    width: { type: "string", default: "1280" },
    height: { type: "string", default: "800" },
  },
});
const [url, path] = positionals;
if (!url || !path) {
  console.error(usage);
  process.exit(2);
}

const browser = await chromium.launch(await installedChromium((line) => console.error(line)));
try {
  const page = await browser.newPage({
    viewport: { width: Number(values.width), height: Number(values.height) },
    colorScheme: values.dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  await page.goto(url, { waitUntil: "load" });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path, fullPage: values.full ?? false });
  console.log(`wrote ${path}`);
} finally {
  await browser.close();
}
