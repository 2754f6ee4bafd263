import type { Page } from "@playwright/test";
import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import { expect, test } from "./fixtures.ts";

const schema = (page: Page) => page.getByRole("textbox", { name: "Schema" });
const example = (page: Page) => page.getByRole("textbox", { name: "Example" });
const GOOD =
  '{\n  "type": "object",\n  "required": ["amount"],\n  "properties": {"amount": {"type": "number"}}\n}';

test("an administrator adds a type with a schema, is told what is broken, and wrong events are refused", async ({
  page,
  stage,
}) => {
  await page.goto(`/event-types?tenant=${stage.tenantId}`);
  await expect(page.getByRole("row").filter({ hasText: "OrderCreated" })).toContainText("built in");
  await page.getByRole("button", { name: "New event type" }).click();

  await page.getByRole("button", { name: "Create event type" }).click();
  await expect(page.getByText("A type needs a name, such as invoice.paid.")).toBeVisible();
  await page.getByRole("textbox", { name: "Name" }).fill(stage.eventType);
  await page.getByRole("textbox", { name: "Description" }).fill("An <b>invoice</b> was paid.");
  await schema(page).fill('{\n  "type" "object"\n}');
  await expect(page.getByText("Line 2, column 10: This is no JSON: a colon is missing")).toBeVisible();
  await expect(schema(page)).toHaveAttribute("aria-invalid", "true");

  const unknown = '{\n  "properties": {\n    "amount": {"type": "money"}\n  }\n}';
  await schema(page).fill(unknown);
  await expect(page.getByText("The server would not take this yet")).toBeVisible();
  await expect(page.getByText(/Line 3, column 24: \/properties\/amount\/type/)).toBeVisible();
  await page.getByRole("button", { name: "Create event type" }).click();
  await expect(schema(page)).toHaveValue(unknown);

  await schema(page).fill(GOOD);
  await example(page).fill('{"amount": "12"}');
  await expect(page.getByText(/Line 1, column 12: \/amount must be number/)).toBeVisible();
  await example(page).fill('{"amount": 12.50}');
  await expect(page.getByText("The server takes the schema, and the example satisfies it")).toBeVisible();
  await page.getByRole("button", { name: "Create event type" }).click();

  await expect(page.getByRole("heading", { name: stage.eventType })).toBeVisible();
  await expect(example(page)).toHaveValue('{\n  "amount": 12.50\n}');
  await expect(stage.publish({ amount: "12" })).rejects.toThrow("422");
  const id = await stage.publish({ amount: 12 });

  await page.getByRole("link", { name: "Its events" }).click();
  await page.getByRole("row").filter({ hasText: stage.eventType }).getByRole("link").click();
  await expect(page.getByRole("main").getByText(id, { exact: true })).toBeVisible();
});

test("whoever was slower is told so and loses nothing; deleting asks", async ({ page, demo, stage }) => {
  const put = async (description: string) => {
    const answer = await fetch(`${demo.base_url}/event-types/${stage.eventType}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${demo.tenants[1]?.api_key}`, "content-type": "application/json" },
      body: JSON.stringify({ description }),
    });
    expect(answer.ok).toBe(true);
  };
  await put("First.");
  await page.goto(`/event-types/${stage.eventType}?tenant=${stage.tenantId}`);
  const description = page.getByRole("textbox", { name: "Description" });
  await expect(description).toHaveValue("First.");
  await description.fill("Mine.");
  await put("Theirs.");

  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Somebody else has changed it")).toBeVisible();
  await expect(description).toHaveValue("Mine.");
  await page.getByRole("button", { name: "Replace theirs with mine" }).click();
  await expect(page.getByText("There is nothing to save.")).toBeVisible();
  await page.reload();
  await expect(description).toHaveValue("Mine.");

  await put("Theirs again.");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("Its events stay");
  await page.getByRole("dialog").getByRole("button", { name: "Delete event type" }).click();
  await expect(page.getByRole("dialog")).toContainText("Somebody else has changed it");
  await page.getByRole("dialog").getByRole("button", { name: "Delete it all the same" }).click();
  await expect(page.getByRole("heading", { name: "Event types" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "OrderCreated" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: stage.eventType })).toHaveCount(0);
});

test("has nothing that axe finds fault with, and fits 360 pixels", async ({ page, stage }) => {
  await page.goto(`/event-types?tenant=${stage.tenantId}`);
  await expect(page.getByRole("row").filter({ hasText: "OrderCreated" })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);

  await page.goto(`/event-types/-new?tenant=${stage.tenantId}`);
  await schema(page).fill('{"properties": {"a": {"type": "money"}}}');
  await expect(page.getByText("The server would not take this yet")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);
});
