import { expect, type Page } from "@playwright/test";

/** Fills in the sign-in page and sends it with Enter, which does nothing before the page is ready. */
export async function signIn(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeEnabled();
  await page.keyboard.press("Enter");
}
