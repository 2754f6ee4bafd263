import { accessibilityProblems } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

test("npm start says where it is, with keys that work and a console to sign in to", async ({
  page,
  demo,
}) => {
  for (const { api_key } of demo.tenants) {
    const answer = await page.request.get(`${demo.base_url}/deliveries`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
    expect(answer.status()).toBe(200);
  }
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByLabel("E-mail").fill(demo.console.email);
  await page.getByLabel("Password", { exact: true }).fill(demo.console.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});

test("the demo delivers to the example consumer, and shows what becomes of endpoints that fail", async ({
  request,
  demo,
}) => {
  const statuses = async () => {
    const found = new Set<string>();
    for (const { api_key } of demo.tenants)
      for (const status of ["delivered", "failed"]) {
        const answer = await request.get(`${demo.base_url}/deliveries?status=${status}&limit=1`, {
          headers: { authorization: `Bearer ${api_key}` },
        });
        const { items }: { items: unknown[] } = await answer.json();
        if (items.length > 0) found.add(status);
      }
    return [...found].sort();
  };
  await expect.poll(statuses, { timeout: 60_000 }).toEqual(["delivered", "failed"]);
});
