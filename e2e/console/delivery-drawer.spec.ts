import { accessibilityProblems } from "../axe.ts";
import { rowsOf } from "./failing.ts";
import { expect, test } from "./fixtures.ts";

test("shows a delivery beside the list, and the ones around it, by an address of its own", async ({
  page,
  stage,
}) => {
  await stage.publishMany(3);
  await page.goto(stage.listPath);
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toHaveCount(3);
  const ids = await rowsOf(page).evaluateAll((links) =>
    links.map((link) => link.getAttribute("data-row-link")),
  );
  const beside = page.getByRole("dialog", { name: "Delivery" });
  const isShown = async (at: number) => {
    await expect(beside.getByText(ids[at] ?? "", { exact: true }).first()).toBeVisible();
    await expect.poll(() => new URL(page.url()).searchParams.get("open")).toBe(ids[at]);
  };
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("o");
  await isShown(0);
  await page.keyboard.press("j");
  await isShown(1);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await isShown(2);
  await page.keyboard.press("k");
  await isShown(1);
  expect(await accessibilityProblems(page)).toEqual([]);

  // The selection below is untouched by all that, and one step back is the list.
  await page.goBack();
  await expect(beside).toBeHidden();
  await expect(rowsOf(page).nth(1)).toBeFocused();
  await expect(page.getByRole("region", { name: "Selected deliveries" })).toContainText(
    "1 delivery selected",
  );
  await rowsOf(page).nth(2).click();
  await isShown(2);
  await page.reload();
  await isShown(2);
  // The palette is everywhere; what lies on top closes first.
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await page.keyboard.press("Control+k");
  await expect(palette).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await isShown(2);
  await page.keyboard.press("Escape");
  await expect(beside).toBeHidden();

  // A new tab is what the browser makes of such a click, if nobody prevents it.
  const leadsTo = page.evaluate(
    () =>
      new Promise<string | undefined>((resolve) => {
        const look = (click: MouseEvent) => {
          const link = (click.target as Element).closest("a");
          resolve(click.ctrlKey && !click.defaultPrevented ? link?.href : undefined);
          click.preventDefault();
        };
        window.addEventListener("click", look, { once: true });
      }),
  );
  await rowsOf(page)
    .first()
    .click({ modifiers: ["Control"] });
  expect(await leadsTo).toContain(`/deliveries/${ids[0]}`);
  await expect(beside).toBeHidden();
  await page.setViewportSize({ width: 360, height: 740 });
  await rowsOf(page).first().click();
  await expect(page).toHaveURL(new RegExp(`/deliveries/${ids[0]}`));
});
