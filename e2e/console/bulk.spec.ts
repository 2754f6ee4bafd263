import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { accessibilityProblems } from "../axe.ts";
import { failed, rowsOf } from "./failing.ts";
import { expect, test } from "./fixtures.ts";

const bar = (page: Page) => page.getByRole("region", { name: "Selected deliveries" });
const dialog = (page: Page) => page.getByRole("dialog");

test("dismisses the rows that were picked, with a reason, and leaves out what does not fit", async ({
  page,
  stage,
}) => {
  await failed(page, stage, 4);
  const boxes = page.getByRole("row").getByRole("checkbox", { name: /^Select e2e/ });
  await boxes.nth(0).click();
  await boxes.nth(2).click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText("3 deliveries selected");

  await bar(page).getByRole("button", { name: "Cancel" }).click();
  await expect(dialog(page)).toContainText("Nothing to cancel");
  await page.keyboard.press("Escape");
  await bar(page).getByRole("button", { name: "Dismiss" }).click();
  await dialog(page).getByRole("textbox", { name: "Reason" }).fill("settled by hand");
  await dialog(page).getByRole("button", { name: "Dismiss 3 deliveries" }).click();
  await expect(dialog(page)).toContainText("3 deliveries dismissed");
  await dialog(page).getByRole("button", { name: "Close" }).last().click();

  await expect(rowsOf(page)).toHaveCount(1);
});

test("stands still while rows are selected, and moves on once they are not", async ({ page, stage }) => {
  await failed(page, stage, 1);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(bar(page)).toContainText("1 delivery selected");
  await stage.publish();
  await expect(page.getByRole("button", { name: /new deliver/ })).toBeHidden();

  await page.keyboard.press("Escape");
  await expect(bar(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "1 new delivery" })).toBeVisible();
});

test("exports what matches as CSV and JSON", async ({ page, stage }) => {
  await failed(page, stage, 3);
  for (const format of ["CSV", "JSON"]) {
    await page.getByRole("button", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: format }).click();
    const text = readFileSync(await (await download).path(), "utf8");
    if (format === "CSV") expect(text.trim().split("\r\n")).toHaveLength(4);
    else expect(JSON.parse(text)).toHaveLength(3);
    expect(text).toContain(stage.host);
  }
  await expect(page.getByText("3 deliveries exported.").first()).toBeVisible();
});

test("saves filters as a view of this browser, and has some that all look for", async ({ page, stage }) => {
  await failed(page, stage, 1);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("textbox", { name: "Name of the view" }).fill("Ours");
  await page.getByRole("button", { name: "Save" }).click();
  await page.keyboard.press("Escape");

  await page.goto(`/deliveries?tenant=${stage.tenantId}`);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Slow" }).click();
  await expect(page).toHaveURL(/status=pending,in_flight&older=10m/);
  await page.getByRole("button", { name: "View: Slow" }).click();
  await page.getByRole("menuitem", { name: "Ours" }).click();
  await expect(rowsOf(page)).toHaveCount(1);
  await expect.poll(() => new URL(page.url()).searchParams.get("type")).toBe(stage.eventType);
});

test("has nothing that axe finds fault with under a selection", async ({ page, stage }) => {
  await failed(page, stage, 2);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  expect(await accessibilityProblems(page)).toEqual([]);
  await bar(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(dialog(page).getByRole("button", { name: "Dismiss 2 deliveries" })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
});
