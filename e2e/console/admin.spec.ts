import type { BrowserContext, Page } from "@playwright/test";
import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import { expect as hasty, test } from "./fixtures.ts";

// Sessions, passwords and whole pages: each step may take a while on a busy machine.
const expect = hasty.configure({ timeout: 30_000 });

// Stories of many pages.
test.describe.configure({ timeout: 180_000 });

const MARKUP = "<img src=x onerror=alert(1)>";
const PASSWORD = "correct horse battery staple";
const SCREENS = ["/tenants", "/staff", "/audit", "/settings", "/settings?tab=account"];
const ADMIN_ONLY = ["/staff", "/audit", "/settings?tab=installation"];

/** Invites somebody on the page of the staff; gives the link that is shown. */
async function invite(page: Page, who: { email: string; name: string; role: string }): Promise<string> {
  await page.goto("/staff?open=new");
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Name").fill(who.name);
  await page.getByRole("radio", { name: who.role }).check();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  return (await page.getByTestId("sign-in-link").textContent()) ?? "";
}

/** Opens the link in a browser of its own, sets a password, and is signed in. */
async function accept(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("New password again", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  return page;
}

test("an admin invites a support person, who sets a password, is refused politely, and is in the audit log", async ({
  page,
  browser,
  demo,
}) => {
  const signedOut = { baseURL: demo.origin, storageState: { cookies: [], origins: [] } };
  const email = `kim-${Date.now()}@example.com`;
  const link = await invite(page, { email, name: MARKUP, role: "support" });
  expect(new URL(link).search).toBe("");

  const elsewhere = await browser.newContext(signedOut);
  const kim = await accept(elsewhere, link);
  expect(kim.url()).not.toContain("token");
  for (const path of ADMIN_ONLY) {
    await kim.goto(path);
    await expect(kim.getByRole("heading", { name: "Only admins see this" })).toBeVisible();
    await expect(kim.getByText("Your role is support")).toBeVisible();
  }
  await kim.goto("/tenants");
  await expect(kim.getByText("Only admins make and change tenants")).toBeVisible();
  await expect(kim.getByRole("button", { name: "New tenant" })).toHaveAttribute("aria-disabled", "true");
  await kim.goto("/settings?tab=account");
  await expect(kim.getByText("this one")).toBeVisible();

  // The link is of no use a second time.
  const again = await (await browser.newContext(signedOut)).newPage();
  await again.goto(link);
  await again.getByLabel("New password", { exact: true }).fill("another horse battery staple");
  await again.getByLabel("New password again", { exact: true }).fill("another horse battery staple");
  await again.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(again.getByText("This link was used before")).toBeVisible();

  // A name is text wherever it is shown, and disabling takes effect on sessions that run.
  await page.goto("/staff");
  await page.getByRole("link", { name: email }).click();
  await expect(page.getByLabel("Name")).toHaveValue(MARKUP);
  await page.getByRole("button", { name: "Disable" }).click();
  await page
    .getByRole("dialog", { name: /^Disable/ })
    .getByRole("button", { name: "Disable" })
    .click();
  await expect(page.getByRole("button", { name: "Enable" })).toBeVisible();
  await kim.goto("/deliveries");
  await expect(kim.getByRole("heading", { name: "Sign in to Posthorn" })).toBeVisible();

  await page.goto(`/audit?target=${email}`);
  for (const action of ["staff.invite", "staff.set_password", "staff.disable"])
    await expect(page.getByRole("link", { name: new RegExp(action) })).toBeVisible();
  await page.getByRole("link", { name: /staff\.invite/ }).click();
  await expect(page.getByRole("cell", { name: `"${MARKUP}"` })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Verify the chain" }).click();
  await expect(page.getByTestId("verdict")).toContainText("Intact");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe("audit-log.csv");
  expect(await page.locator("img").count()).toBe(0);
  await elsewhere.close();
});

test("what needs a recent sign-in asks for the password in place, and goes on with what was typed", async ({
  page,
  demo,
}) => {
  let refusals = 0;
  await page.route("**/api/v1/staff", async (route) => {
    if (route.request().method() !== "POST" || refusals > 0) return route.continue();
    refusals += 1;
    await route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      headers: { "cache-control": "no-store", "x-request-id": crypto.randomUUID() },
      body: JSON.stringify({
        type: `${demo.origin}/problems/reauthentication-required`,
        title: "Reauthentication required",
        status: 403,
        detail: "Give your password again; then this can be repeated.",
        instance: `urn:uuid:${crypto.randomUUID()}`,
      }),
    });
  });
  await page.goto("/staff?open=new");
  await page.getByLabel("E-mail").fill(`lee-${Date.now()}@example.com`);
  await page.getByLabel("Name").fill("Lee");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Is it you?" });
  await dialog.getByLabel("Your password", { exact: true }).fill("not my password");
  await dialog.getByRole("button", { name: "Go on" }).click();
  await expect(dialog.getByText("This is not your password.")).toBeVisible();
  await dialog.getByLabel("Your password", { exact: true }).fill(demo.console.password);
  await dialog.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByTestId("sign-in-link")).toBeVisible();
});

test("a tenant is made and changed, and bad input keeps what was typed", async ({ page }) => {
  const name = `Tenant ${Date.now()} ${MARKUP}`;
  await page.goto("/tenants");
  await page.getByRole("button", { name: "New tenant" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Days that events are kept").fill("ten");
  await page.getByRole("button", { name: "Make tenant" }).click();
  await expect(page.getByText("A whole number, or nothing for the default.")).toBeVisible();
  await page.getByLabel("Days that events are kept").fill("0");
  await page.getByRole("button", { name: "Make tenant" }).click();
  await expect(page.getByText(/Too small/)).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await page.getByLabel("Days that events are kept").fill("10");
  await page.getByRole("button", { name: "Make tenant" }).click();
  await expect(page).toHaveURL(/open=ten_/);
  await page.getByLabel("Requests per second").fill("7");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row", { name }).getByText("7 / s")).toBeVisible();
});

test("the screens of administrators are accessible and fit a phone", async ({ page }) => {
  for (const path of [...SCREENS, "/staff?open=new", "/tenants?open=new"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true], .mantine-Skeleton-root")).toHaveCount(0);
    expect(await accessibilityProblems(page), path).toEqual([]);
    expect(await narrowOverflow(page), path).toBe(0);
  }
});
