import type { Page } from "@playwright/test";
import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import type { Demo } from "../fixtures.ts";
import { expect, type Stage, test } from "./fixtures.ts";

const statusWith = async (demo: Demo, key: string) =>
  (await fetch(`${demo.base_url}/events?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status;

async function make(page: Page, stage: Stage, name: string): Promise<string> {
  await page.goto(`/api-keys?tenant=${stage.tenantId}`);
  await page.getByRole("button", { name: "New API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("checkbox", { name: "events:read" }).check();
  await dialog.getByRole("button", { name: "Make the key" }).click();
  const key = (await page.getByTestId("secret").textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  await expect(dialog).toBeHidden();
  return key;
}

test("makes a key, rotates it and revokes it, and each works as long as it says", async ({
  page,
  stage,
  demo,
}) => {
  const name = `deploy ${stage.eventType}`;
  const first = await make(page, stage, name);
  expect(await statusWith(demo, first)).toBe(200);
  expect(await page.content()).not.toContain(first);
  const rows = page.getByRole("row").filter({ hasText: name });
  await expect(rows).toContainText("Active");
  await expect(rows).toContainText("in 89 d");

  await page.getByRole("button", { name: `Rotate ${name}` }).click();
  await page.getByRole("button", { name: "Make the new key" }).click();
  const second = (await page.getByTestId("secret").textContent()) ?? "";
  await page.getByRole("button", { name: "I have kept it" }).click();
  await expect(rows).toHaveCount(2);
  expect(await Promise.all([statusWith(demo, first), statusWith(demo, second)])).toEqual([200, 200]);

  await page
    .getByRole("button", { name: `Revoke ${name}` })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(rows.first()).toContainText("Revoked");
  await expect.poll(() => statusWith(demo, second)).toBe(401);
  await expect(page.getByRole("button", { name: `Revoke ${name}` }).first()).toHaveAccessibleDescription(
    "It is revoked.",
  );
});

test("says which field is wrong and keeps what was typed", async ({ page, stage }) => {
  await page.goto(`/api-keys?new=true&tenant=${stage.tenantId}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "orders:read" }).check();
  await dialog.getByRole("button", { name: "Make the key" }).click();
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(
    /Say what it is for/,
  );
  await expect(dialog.getByRole("checkbox", { name: "orders:read" })).toBeChecked();
});

test("has nothing that axe finds fault with", async ({ page, stage }) => {
  await make(page, stage, "axe");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "New API key" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);
});
