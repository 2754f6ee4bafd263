import type { Page } from "@playwright/test";
import { accessibilityProblems } from "../axe.ts";
import { expect, type Stage, test } from "./fixtures.ts";

const rowsOf = (page: Page) => page.getByRole("table").locator("tbody").getByRole("link");

async function delivered(page: Page, stage: Stage, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await stage.publish({ n });
  await page.goto(stage.listPath);
  await expect(rowsOf(page)).toHaveCount(count);
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toHaveCount(count);
}

test("shows a delivery from its creation to its end without a reload", async ({ page, stage }) => {
  let release = () => {};
  stage.answer = { status: 202, after: new Promise((resolve) => (release = resolve)) };
  await page.goto(stage.listPath);
  await expect(page.getByText("No deliveries match these filters")).toBeVisible();

  await stage.publish();

  const row = page.getByRole("row").filter({ hasText: stage.eventType });
  await expect(row).toContainText(stage.host);
  await expect(row).toContainText("In flight");
  release();
  await expect(row).toContainText("Delivered");
});

test("hears of changes as they happen, and looks by the clock where it cannot", async ({ page, stage }) => {
  const looks: number[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/deliveries?")) looks.push(Date.now());
  });
  const streaming = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/live");
  await page.goto(stage.listPath);
  expect((await streaming).status()).toBe(200);
  await stage.publish();
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toBeVisible();

  await page.route("**/live?*", (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
  await expect(rowsOf(page)).toHaveCount(1);
  const before = looks.length;
  await expect.poll(() => looks.length, { timeout: 15_000 }).toBeGreaterThan(before + 2);
  await stage.publish();
  await expect(page.getByRole("button", { name: "1 new delivery" })).toBeVisible();
});

test("announces new deliveries and moves no row until one asks for them", async ({ page, stage }) => {
  await delivered(page, stage, 2);
  const top = await rowsOf(page).first().getAttribute("href");

  await stage.publish();
  await expect(page.getByRole("button", { name: "1 new delivery" })).toBeVisible();
  expect(await rowsOf(page).first().getAttribute("href")).toBe(top);
  await expect(rowsOf(page)).toHaveCount(2);

  await page.keyboard.press("n");
  await expect(rowsOf(page)).toHaveCount(3);
  expect(await rowsOf(page).nth(1).getAttribute("href")).toBe(top);
  await expect(page.getByRole("button", { name: /new deliver/ })).toBeHidden();
});

test("looks at nothing while it is paused, coming back to the window included", async ({ page, stage }) => {
  await page.clock.install();
  await delivered(page, stage, 1);
  await page.getByRole("button", { name: "Updates: Live" }).click();
  await page.getByRole("menuitemradio", { name: /Paused/ }).click();
  await expect(page.getByRole("button", { name: "Updates: Paused" })).toBeVisible();
  const calls: string[] = [];
  page.on("request", (request) => calls.push(request.url()));

  await stage.publish();
  await page.evaluate(() => {
    window.dispatchEvent(new Event("focus"));
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("online"));
  });
  await page.clock.fastForward("10:00");

  expect(calls.filter((url) => url.includes("/api/"))).toEqual([]);
  await page.reload();
  await expect(page.getByRole("button", { name: "Updates: Paused" })).toBeVisible();
  await expect(rowsOf(page)).toHaveCount(2);
});

test("filters by the address, and puts the filters chosen into it", async ({ page, stage }) => {
  stage.answer = { status: 422 };
  await stage.publish();
  await page.goto(`${stage.listPath}&status=failed`);
  await expect(page.getByRole("cell", { name: "Failed", exact: true })).toBeVisible();
  await expect(page.getByRole("cell", { name: "422 permanent" })).toBeVisible();

  await page.getByRole("combobox", { name: "Status Failed" }).click();
  await page.getByRole("option", { name: "Failed" }).click();
  await page.getByRole("option", { name: "Delivered" }).click();
  await page.keyboard.press("Escape");

  await expect(page.getByText("No deliveries match these filters")).toBeVisible();
  await expect.poll(() => new URL(page.url()).searchParams.get("status")).toBe("delivered");
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("combobox", { name: "Status Failed" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "Failed", exact: true })).toBeVisible();
});

test("takes an id to its delivery or its event, and any text to the events that hold it", async ({
  page,
  stage,
}) => {
  const eventId = await stage.publish({ customer: `cus_${stage.eventType}` });
  await page.goto(stage.listPath);
  await expect(rowsOf(page)).toHaveCount(1);
  const search = page.getByRole("textbox", { name: "Search by id or by text in the event" });

  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type(eventId);
  await page.keyboard.press("Enter");
  await expect(page.getByText(`Event ${eventId}`)).toBeVisible();
  await expect(rowsOf(page)).toHaveCount(1);

  await page.goto(`/deliveries?tenant=${stage.tenantId}`);
  await search.fill(`cus_${stage.eventType}`);
  await page.keyboard.press("Enter");
  await expect(rowsOf(page)).toHaveCount(1);
  const href = (await rowsOf(page).first().getAttribute("href")) ?? "";
  const id = /dlv_[0-9a-f-]+/.exec(href)?.[0] ?? "";

  await search.fill(id);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: stage.eventType })).toBeVisible();
});

test("is worked by keyboard alone", async ({ page, stage }) => {
  await delivered(page, stage, 3);

  await page.keyboard.press("j");
  await expect(rowsOf(page).nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(rowsOf(page).nth(2)).toBeFocused();
  await page.keyboard.press("k");
  await expect(rowsOf(page).nth(1)).toBeFocused();
  await page.keyboard.press("Enter");

  const beside = page.getByRole("dialog", { name: "Delivery" });
  await expect(beside.getByRole("heading", { name: stage.eventType })).toBeVisible();
  await expect.poll(() => beside.evaluate((it) => it.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Escape");
  await expect(beside).toBeHidden();
  await expect(rowsOf(page).nth(1)).toBeFocused();
});

test("says what went wrong with the request id, and tries again", async ({ page, stage, demo }) => {
  await stage.publish();
  const requestId = "01991f6e-4c2a-4cc3-9d0e-2f7a6b1c5d84";
  const problem = {
    type: `${demo.origin}/problems/unavailable`,
    title: "Unavailable",
    status: 503,
    detail: "The database cannot be reached.",
    instance: `urn:uuid:${requestId}`,
  };
  const headers = {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "x-request-id": requestId,
  };
  await page.route("**/api/v1/deliveries?**", (route) =>
    route.fulfill({ status: 503, headers, body: JSON.stringify(problem) }),
  );
  await page.goto(stage.listPath);
  await expect(page.getByText("The database cannot be reached.")).toBeVisible();
  await expect(page.getByText(requestId)).toBeVisible();

  await page.unroute("**/api/v1/deliveries?**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(rowsOf(page)).toHaveCount(1);
});

test("has nothing that axe finds fault with", async ({ page, stage }) => {
  await delivered(page, stage, 2);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("combobox", { name: "Endpoint" }).click();
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("fits a screen of 360 pixels", async ({ page, stage }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await delivered(page, stage, 1);

  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await expect(rowsOf(page).first()).toBeInViewport();
  await page.getByRole("button", { name: "Navigation" }).click();
  await expect(page.getByRole("navigation").getByRole("link", { name: "Deliveries" })).toBeVisible();
});

test("keeps the tenant in the address, and changes to another", async ({ page, demo, stage }) => {
  const other = demo.tenants.find((tenant) => tenant.id !== stage.tenantId);
  await page.goto("/");
  await expect(page).toHaveURL(/\/overview\?tenant=ten_/);

  await page.goto(stage.listPath);
  await page.getByRole("combobox", { name: /^Tenant: / }).click();
  await page.getByRole("option", { name: other?.name ?? "" }).click();

  await expect(page).toHaveURL(new RegExp(`tenant=${other?.id}`));
  await page.goto("/");
  await expect(page).toHaveURL(new RegExp(`tenant=${other?.id}`));
});
