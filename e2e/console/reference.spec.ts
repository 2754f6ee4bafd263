import { expect, test } from "./fixtures.ts";

test("the console leads to the API reference", async ({ page }) => {
  await page.goto("/deliveries");
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("menuitem", { name: "API reference" }).click();
  await expect(page).toHaveURL(/\/docs$/);
  // The reference draws the whole document before it shows anything.
  await expect(page.getByRole("heading", { name: "First steps" })).toBeVisible({ timeout: 30_000 });
});
