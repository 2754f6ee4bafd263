import type { Page } from "@playwright/test";
import { accessibilityProblems } from "../axe.ts";
import { expect, type Stage, test } from "./fixtures.ts";

async function openFailed(page: Page, stage: Stage): Promise<void> {
  await stage.publish({ order: 1001, total: 12.5, big: "x" });
  await page.goto(`${stage.listPath}&status=failed`);
  await page.getByRole("table").getByRole("link").first().click();
  await page.getByRole("dialog").getByRole("link", { name: "Open as page" }).click();
  await expect(page.getByRole("heading", { name: stage.eventType, level: 1 })).toBeVisible();
}

test("shows an attempt as it was sent and as it was answered", async ({ page, stage }) => {
  stage.answer = {
    status: 422,
    headers: { "content-type": "application/json" },
    body: '{"error":"no such order"}',
  };
  await openFailed(page, stage);

  await expect(page.getByText("It will not be retried by itself.")).toBeVisible();
  await expect(page.getByRole("button", { name: /Attempt 1/ })).toHaveAttribute("aria-expanded", "true");
  const request = page.getByRole("region", { name: "Request", exact: true });
  await expect(request).toContainText(`POST http://${stage.host}/hooks?source=e2e`);
  await expect(request).toContainText("X-Signature");
  await expect(request).toContainText('"order":1001');
  const response = page.getByRole("region", { name: "Response", exact: true });
  await expect(response).toContainText("Status 422");
  await expect(response).toContainText('{"error":"no such order"}');

  await response.getByText("Pretty").click();
  await expect(page.getByRole("region", { name: "Response body" })).toHaveText(
    '{\n  "error": "no such order"\n}',
    { useInnerText: true },
  );
});

test("replays a failed delivery and shows what came of it", async ({ page, stage }) => {
  stage.answer = { status: 422 };
  await openFailed(page, stage);
  stage.answer = { status: 202, body: "thank you" };

  await page.getByRole("button", { name: "Replay" }).click();

  await expect(page.getByTestId("replay-result")).toContainText(
    "Attempt 2: The endpoint accepted the delivery.",
  );
  await expect(page.getByText("The endpoint accepted it after 2 attempts")).toBeVisible();
  await expect(page.getByRole("button", { name: /Attempt 2.*202.*replay/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Response body" })).toContainText("thank you");

  // The list knows it as well, as one left it.
  await page.getByRole("main").getByRole("link", { name: "Deliveries" }).click();
  await expect(page).toHaveURL(/status=failed/);
  await expect(page.getByRole("row").filter({ hasText: stage.eventType })).toContainText("Delivered");
});

test("follows a replay to its result even while updates are paused", async ({ page, stage }) => {
  stage.answer = { status: 422 };
  await openFailed(page, stage);
  await page.getByRole("button", { name: "Updates: Live" }).click();
  await page.getByRole("menuitemradio", { name: /Paused/ }).click();

  await page.getByRole("button", { name: "Replay" }).click();

  await expect(page.getByTestId("replay-result")).toContainText("Attempt 2");
  await expect(page.getByTestId("replay-result")).toContainText("status 422");
});

test("asks for one replay, however often a lost answer makes it ask", async ({ page, stage }) => {
  stage.answer = { status: 422 };
  await openFailed(page, stage);
  const keys: (string | undefined)[] = [];
  await page.route("**/replay", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    const answer = await route.fetch();
    // The first answer is lost on its way back.
    if (keys.length === 1) return route.abort("connectionreset");
    return route.fulfill({ response: answer });
  });

  await page.getByRole("button", { name: "Replay" }).click();

  await expect(page.getByTestId("replay-result")).toContainText("Attempt 2");
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  await expect(page.getByRole("heading", { name: "2 attempts" })).toBeVisible();
});

test("explains why there is nothing to replay yet", async ({ page, stage }) => {
  let release = () => {};
  stage.answer = { status: 202, after: new Promise((resolve) => (release = resolve)) };
  await stage.publish();
  await page.goto(stage.listPath);
  await page.getByRole("table").getByRole("link").first().click();

  await expect(page.getByText("Attempt 1 is on its way.")).toBeVisible();
  const button = page.getByRole("button", { name: "Replay" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(button).toHaveAccessibleDescription("An attempt is on its way. Wait for its result.");
  release();
  await expect(button).toHaveAttribute("aria-disabled", "false");
});

test("shows what a hostile receiver answers as text and nothing else", async ({ page, stage }) => {
  const hostile = '<img src=x onerror="document.title=`owned`"><script>document.title="owned"</script>';
  stage.answer = { status: 400, headers: { "content-type": "text/html" }, body: hostile };
  await openFailed(page, stage);

  await expect(page.getByRole("region", { name: "Response body" })).toHaveText(hostile);
  await expect(page).toHaveTitle("Delivery · Posthorn");
  await expect(page.locator("img")).toHaveCount(0);
});

test("copies the request as a curl command", async ({ page, context, stage }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  stage.answer = { status: 422 };
  await openFailed(page, stage);

  await page.getByRole("button", { name: "Copy as curl" }).click();

  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`curl -X POST 'http://${stage.host}/hooks?source=e2e'`);
  expect(command).toContain('--data-raw \'{"id":"evt_');
});

test("says so when there is no such delivery", async ({ page, stage }) => {
  await page.goto(`/deliveries/dlv_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84?tenant=${stage.tenantId}`);

  await expect(page.getByRole("heading", { name: "There is no such delivery" })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const)
  test(`has nothing that axe finds fault with, ${colorScheme}`, async ({ page, stage }) => {
    stage.answer = { status: 422, body: "no ".repeat(2_000) };
    await page.emulateMedia({ colorScheme });
    await openFailed(page, stage);
    await expect(page.getByRole("region", { name: "Response body" })).toBeVisible();

    expect(await accessibilityProblems(page)).toEqual([]);
  });

test("fits a screen of 360 pixels", async ({ page, stage }) => {
  stage.answer = { status: 422, body: "averylongwordwithoutanybreak".repeat(40) };
  await openFailed(page, stage);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole("region", { name: "Response body" })).toBeVisible();

  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
