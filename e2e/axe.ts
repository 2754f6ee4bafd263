import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules whose verdict a colour can change. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

const LOOKS = 3;
const BETWEEN_LOOKS_MS = 1_000;

/**
 * What axe finds on the page against WCAG 2.2 AA, one line for each element; empty when all is well. It looks in light,
 * and in dark at what depends on colours. A page that lives may change under it: what is gone at another look is no finding.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  let found = await look(page);
  for (let looks = 1; looks < LOOKS && found.length > 0; looks++) {
    await page.waitForTimeout(BETWEEN_LOOKS_MS);
    const again = new Set(await look(page));
    found = found.filter((problem) => again.has(problem));
  }
  return found;
}

async function look(page: Page): Promise<string[]> {
  const inLight = await new AxeBuilder({ page }).withTags(WCAG).analyze();
  await page.emulateMedia({ colorScheme: "dark" });
  // Colours that are on their way are no verdict.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished.catch(() => {})),
    ),
  );
  const inDark = await new AxeBuilder({ page }).withRules(OF_COLOURS).analyze();
  await page.emulateMedia({ colorScheme: "light" });
  return [...problems("light", inLight), ...problems("dark", inDark)];
}

type Result = Awaited<ReturnType<AxeBuilder["analyze"]>>;

const problems = (scheme: string, { violations }: Result) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} (${scheme}): ${target.join(" ")}`));

/** By how many pixels the page is wider than a screen of 360 pixels; the window is as it was afterwards. */
export async function narrowOverflow(page: Page): Promise<number> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (size) await page.setViewportSize(size);
  return Math.max(0, overflow);
}
