import { expect, type Page } from "@playwright/test";
import type { Stage } from "./fixtures.ts";

export const endpointsPath = (stage: Stage, query = "") => `/endpoints?tenant=${stage.tenantId}${query}`;

/** Opens the page of the stage's own endpoint, by the list. */
export async function openEndpoint(page: Page, stage: Stage): Promise<void> {
  await page.goto(endpointsPath(stage, `&q=${encodeURIComponent(stage.host)}`));
  await page.getByRole("table").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: stage.host })).toBeVisible();
}

/** Opens the form of a new endpoint for the stage's event type. */
export async function fillForm(page: Page, stage: Stage, url: string): Promise<void> {
  await page.goto(`/endpoints/new?tenant=${stage.tenantId}`);
  await page.getByRole("textbox", { name: "URL" }).fill(url);
  const types = page.getByRole("combobox", { name: "Event types" });
  await types.press("Backspace");
  await types.fill(stage.eventType);
  await types.press("Enter");
}
