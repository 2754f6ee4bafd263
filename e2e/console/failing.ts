import type { Page } from "@playwright/test";
import { expect, type Stage } from "./fixtures.ts";

export const rowsOf = (page: Page) => page.getByRole("table").locator("tbody").getByRole("link");

/** Waits until nothing of the stage is on its way any more. */
export async function settled(page: Page, stage: Stage, timeoutMs = 60_000): Promise<void> {
  const open = `event_type=${stage.eventType}&status=pending&status=in_flight&limit=1`;
  const headers = { "posthorn-tenant": stage.tenantId };
  await expect
    .poll(
      async () => {
        const answer = await page.request.get(`/api/v1/deliveries?${open}`, { headers });
        return ((await answer.json()) as { items: unknown[] }).items.length;
      },
      { timeout: timeoutMs },
    )
    .toBe(0);
}

/** Publishes events whose deliveries the stage refuses for good, and opens the list of them. */
export async function failed(page: Page, stage: Stage, count: number): Promise<void> {
  stage.answer = { status: 422 };
  await stage.publishMany(count);
  await settled(page, stage, 60_000 + 6 * count);
  await page.goto(`${stage.listPath}&status=failed`);
  await expect(rowsOf(page)).toHaveCount(Math.min(count, 50));
}
