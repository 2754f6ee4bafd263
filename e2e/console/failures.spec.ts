import type { Page } from "@playwright/test";
import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import { expect, type Stage, test } from "./fixtures.ts";

const rowsOf = (page: Page) => page.getByRole("table").locator("tbody").getByRole("link");
const dialog = (page: Page) => page.getByRole("dialog");
const field = (page: Page) => page.getByRole("combobox", { name: "Command, section, tenant or id" });

async function failOnce(page: Page, stage: Stage, data: object = { n: 1 }): Promise<void> {
  stage.answer = { status: 422, body: '{"error":"no such sku"}' };
  await stage.publish(data);
  await page.goto(`${stage.listPath}&status=failed`);
  await expect(rowsOf(page)).toHaveCount(1);
}

test("support finds the failed event of a customer's order, sees why, replays it and sees it delivered", async ({
  page,
  stage,
}) => {
  const order = `ord_${stage.eventType.slice(5)}`;
  await failOnce(page, stage, { order, total: 12.5 });
  await page.goto(`/overview?tenant=${stage.tenantId}`);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();

  await page.keyboard.press("Control+k");
  await field(page).fill(order);
  await page.getByRole("option", { name: `Find “${order}” in deliveries` }).click();
  await expect(rowsOf(page)).toHaveCount(1);
  await rowsOf(page).first().click();
  await expect(page.getByText("It will not be retried by itself.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Response body" })).toContainText("no such sku");

  stage.answer = { status: 202 };
  await page.getByRole("button", { name: "Replay" }).click();
  await expect(page.getByTestId("replay-result")).toContainText("The endpoint accepted the delivery.");
  await expect(dialog(page).getByText("Delivered", { exact: true }).first()).toBeVisible();
});

test("is worked by keyboard alone: list, keys, palette, delivery, replay", async ({ page, stage }) => {
  await failOnce(page, stage);
  await page.keyboard.press("?");
  await expect(dialog(page)).toContainText("Replay the selected rows");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();

  await page.keyboard.press("Control+k");
  await field(page).pressSequentially("terminal");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Terminal failures" })).toBeVisible();
  const group = page.getByRole("row").filter({ hasText: stage.host });
  await expect(group).toContainText("422");
  await group.getByRole("link").focus();
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL(/reason=http_422/);
  await expect(rowsOf(page)).toHaveCount(1);
  stage.answer = { status: 202 };
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: stage.eventType })).toBeVisible();
  await expect(page.getByRole("button", { name: "Replay" })).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("r");
  await expect(page.getByTestId("replay-result")).toContainText("The endpoint accepted the delivery.");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Deliveries" })).toBeVisible();
});

test("rests while one types, and opens the filters and the search by key", async ({ page, stage }) => {
  await failOnce(page, stage);
  await page.keyboard.press("/");
  await page.keyboard.type("jxr?f");
  await expect(page.getByRole("textbox", { name: "Search by id or by text in the event" })).toHaveValue(
    "jxr?f",
  );
  await expect(dialog(page)).toBeHidden();
  await page.keyboard.press("Escape");
  await page.keyboard.press("f");
  await expect(page.getByRole("option", { name: "Delivered" })).toBeVisible();
});

test("dismisses a group of failures with a reason", async ({ page, stage }) => {
  await failOnce(page, stage);
  await page.goto(`/failures?tenant=${stage.tenantId}`);
  const group = page.getByRole("row").filter({ hasText: stage.host });
  await group.getByRole("button", { name: /^Dismiss/ }).click();
  await expect(dialog(page)).toContainText("1 delivery will be closed as seen to");
  await dialog(page).getByRole("textbox", { name: "Reason" }).fill("the customer has it");
  await dialog(page).getByRole("button", { name: "Dismiss 1 delivery" }).click();
  await expect(dialog(page)).toContainText("1 delivery dismissed");
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  await expect(group).toBeHidden();
});

test("explains the signature of an attempt, with programs that verify it", async ({
  page,
  context,
  stage,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await failOnce(page, stage);
  await rowsOf(page).first().click();
  await page.getByText(/how to verify it yourself/).click();
  await page.getByText("Python", { exact: true }).click();
  await page.getByRole("button", { name: "Copy the program for Python" }).click();
  const program = await page.evaluate(() => navigator.clipboard.readText());
  expect(program).toContain("hmac.compare_digest");
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("the overview keeps its range in the address and leads to what is behind its numbers", async ({
  page,
  stage,
}) => {
  await failOnce(page, stage);
  await page.goto(`/?tenant=${stage.tenantId}`);
  await expect(page).toHaveURL(/\/overview/);
  await page.goto(`/overview?tenant=${stage.tenantId}`);
  await expect(page.getByRole("row").filter({ hasText: stage.eventType })).toContainText("422");
  await page.getByText("24 h", { exact: true }).click();
  await expect(page).toHaveURL(/range=24h/);
  const rate = page.getByRole("definition").filter({ hasText: "attempts failed; most are retried" });
  await rate.getByRole("link").click();
  await expect(page).toHaveURL(/\/deliveries\?.*window=24h/);
});

for (const path of ["overview", "failures"])
  test(`/${path} has nothing that axe finds fault with, and fits 360 pixels`, async ({ page, stage }) => {
    await failOnce(page, stage);
    await page.goto(`/${path}?tenant=${stage.tenantId}`);
    await expect(page.getByRole("row").filter({ hasText: "422" }).first()).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await narrowOverflow(page)).toBe(0);
    await page.keyboard.press("Control+k");
    await expect(field(page)).toBeFocused();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
