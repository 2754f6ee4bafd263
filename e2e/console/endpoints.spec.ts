import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import { endpointsPath, fillForm, openEndpoint } from "./endpoint-pages.ts";
import { expect, test } from "./fixtures.ts";

test("finds an endpoint by its URL and by how it is doing", async ({ page, stage }) => {
  await page.goto(endpointsPath(stage));
  await page.getByRole("textbox", { name: "Search in URLs" }).fill(stage.host);
  await expect(page.getByRole("table").getByRole("link")).toHaveCount(1);
  await expect(page.getByRole("row").filter({ hasText: stage.host })).toContainText("Enabled");
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(stage.host);

  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Paused" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByText("No endpoints match these filters")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row").filter({ hasText: stage.host })).toBeVisible();
});

test("pauses, resumes with a probe, disables, and deletes what was typed to confirm", async ({
  page,
  stage,
}) => {
  await openEndpoint(page, stage);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("It is paused: deliveries are made and held.")).toBeVisible();
  await stage.publish();
  await expect(page.getByRole("link", { name: "1 delivery pending" })).toBeVisible({ timeout: 20_000 });

  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("It is enabled, and the circuit breaker is closed.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Ping" })).toContainText("Delivered");
  await expect(page.getByRole("row").filter({ hasText: stage.eventType })).toContainText("Delivered");

  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("Somebody has disabled it.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toHaveAccessibleDescription(
    "The endpoint is disabled. Enable it first.",
  );

  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Delete for good" })).toBeDisabled();
  await dialog.getByRole("textbox").fill(stage.host);
  await dialog.getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByRole("heading", { name: "Endpoints" })).toBeVisible();
  await page.getByRole("textbox", { name: "Search in URLs" }).fill(stage.host);
  await expect(page.getByText("No endpoints match these filters")).toBeVisible();
});

test("sends a test event of a type, and shows what the receiver answers", async ({ page, stage }) => {
  stage.answer = { status: 503 };
  await openEndpoint(page, stage);
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("combobox", { name: "Event type" }).fill("OrderCreated");
  await page.getByRole("option", { name: "OrderCreated" }).click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByTestId("test-result")).toContainText("Status 503.");

  stage.answer = { status: 202 };
  await page.getByRole("button", { name: "Send another" }).click();
  await expect(page.getByTestId("test-result")).toContainText("Status 202.");
  await page.getByRole("link", { name: "Open the delivery" }).click();
  await expect(page.getByRole("heading", { name: "OrderCreated" })).toBeVisible();
});

test("counts what failed before it is sent again, and leads to the replay", async ({ page, stage }) => {
  stage.answer = { status: 422 };
  await stage.publish();
  await stage.publish();
  await openEndpoint(page, stage);
  await expect(page.getByRole("row").filter({ hasText: "Failed" })).toHaveCount(2);
  stage.answer = { status: 202 };

  await page.getByRole("button", { name: "Recover failed since" }).click();
  await expect(page.getByTestId("recovery-count")).toHaveText("2 deliveries would be sent.");
  await page.getByRole("button", { name: "Send 2 deliveries" }).click();

  await expect(page.getByRole("link", { name: "Follow the replay" })).toHaveAttribute(
    "href",
    /^\/replays\/rpl_/,
  );
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toHaveCount(2);
});

test("charts what happened, in words and as a table too, by the range in the address", async ({
  page,
  stage,
}) => {
  await stage.publish();
  await openEndpoint(page, stage);
  await page.getByText("1 hour", { exact: true }).click();
  await expect(page).toHaveURL(/range=1h/);
  await expect(page.getByRole("img", { name: /1 attempt in the last 1 hour: 100 % succeeded/ })).toBeVisible({
    timeout: 30_000,
  });
  await page.getByText("Show as a table").first().click();
  await expect(page.getByRole("region", { name: "Success rate, as a table" })).toContainText("100 %");
});

test("has nothing that axe finds fault with, list and form", async ({ page, stage }) => {
  await page.goto(endpointsPath(stage, `&q=${encodeURIComponent(stage.host)}`));
  await expect(page.getByRole("row").filter({ hasText: stage.host })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await fillForm(page, stage, "http://nowhere.example/x");
  await page.getByRole("button", { name: "Add a header" }).click();
  await page.getByRole("button", { name: "Register the endpoint" }).click();
  await expect(page.getByText("Every header needs a name.")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);
});

test("has nothing that axe finds fault with, page and dialog", async ({ page, stage }) => {
  await stage.publish();
  await openEndpoint(page, stage);
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toBeVisible();
  await page.getByText("Show as a table").first().click();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
});
