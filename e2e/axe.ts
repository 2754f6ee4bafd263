import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules whose verdict a colour can change. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * What axe finds on the page against WCAG 2.2 AA, one line for each element; empty when all is well. It looks in light,
 * and in dark at what depends on colours.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await rested(page);
  const inLight = await new AxeBuilder({ page }).withTags(WCAG).analyze();
  await page.emulateMedia({ colorScheme: "dark" });
  await rested(page);
  const inDark = await new AxeBuilder({ page }).withRules(OF_COLOURS).analyze();
  await page.emulateMedia({ colorScheme: "light" });
  await rested(page);
  return [...problems("light", inLight), ...problems("dark", inDark)];
}

/** Waits until what was changed has come: colours and sizes that are on their way are no verdict. */
async function rested(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // The page hears of a change with the next frame, and what then changes begins to by the one after.
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.all(changing.map(({ finished }) => finished.catch(() => {})));
  });
}

type Result = Awaited<ReturnType<AxeBuilder["analyze"]>>;

const problems = (scheme: string, { violations }: Result) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} (${scheme}): ${target.join(" ")}`));

/** By how many pixels the page is wider than a screen of 360 pixels; the window is as it was afterwards. */
export async function narrowOverflow(page: Page): Promise<number> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  await rested(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (size) await page.setViewportSize(size);
  return Math.max(0, overflow);
}
