import { operations } from "#contracts/index.ts";
import { accessibilityProblems } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

// The reference draws the whole document before it shows anything.
const drawn = { timeout: 30_000 };

for (const colorScheme of ["light", "dark"] as const)
  test.describe(`the API reference, ${colorScheme}`, () => {
    test.use({ colorScheme });

    test("shows guide, operations and webhooks, from our own files alone", async ({
      page,
      demo,
    }, testInfo) => {
      const elsewhere: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== demo.origin) elsewhere.push(request.url());
      });
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));

      await page.goto("/docs");
      await expect(page.getByRole("heading", { name: "First steps" })).toBeVisible(drawn);
      await expect(page.getByText(`BASE=${demo.base_url}`)).toBeVisible();
      await expect(page.getByRole("heading", { name: "Retries" })).toBeAttached();
      // What is around the guide is drawn by Scalar.
      const problems = await accessibilityProblems(page);
      expect(problems.filter((problem) => problem.includes(".markdown"))).toEqual([]);
      await page.screenshot({ path: testInfo.outputPath(`docs-${colorScheme}.png`) });

      for (const tag of new Set(["Webhooks", ...operations.map((operation) => operation.tag)]))
        await expect(page.getByText(tag, { exact: true }).first()).toBeAttached();
      await page.goto("/docs#tag/carts/POST/carts");
      await expect(page.getByRole("heading", { name: "Create a cart" }).first()).toBeVisible(drawn);
      await page.goto("/docs#tag/webhooks");
      await expect(page.getByText("An order was created").first()).toBeVisible();

      expect(elsewhere).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });

test("a page of a problem type can be read by everybody, and leads to the reference", async ({ page }) => {
  await page.goto("/problems/precondition-failed");
  await expect(page.getByRole("heading", { name: "Precondition failed" })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("link", { name: "PATCH /carts/{cartId}" }).click();
  await expect(page).toHaveURL(/\/docs#tag\/carts\/PATCH\/carts/);
  await expect(page.getByRole("heading", { name: "Change owner, currency" }).first()).toBeVisible(drawn);
});
