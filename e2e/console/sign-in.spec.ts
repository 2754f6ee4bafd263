import { accessibilityProblems } from "../axe.ts";
import { expect, test } from "../fixtures.ts";
import { signIn } from "../sign-in.ts";

test("leads to the sign-in page, and after it to where one wanted to go", async ({ page, demo }) => {
  const wanted = `/deliveries?status=failed&tenant=${demo.tenants[0]?.id}`;
  await page.goto(wanted);

  await expect(page.getByRole("heading", { name: "Sign in to Posthorn" })).toBeVisible();
  await signIn(page, demo.console);

  await expect(page.getByRole("heading", { name: "Deliveries" })).toBeVisible();
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe(wanted);
});

test("keeps what was typed before the page was ready, and never sends it before", async ({ page, demo }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const scripts = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js*", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByLabel("E-mail").fill(demo.console.email);
  await page.getByLabel("Password", { exact: true }).fill(demo.console.password);
  await page.keyboard.press("Enter");
  scripts.resolve();

  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(asked.filter((url) => url.includes("password="))).toEqual([]);
});

test("says that the password is wrong, and lets one try again at once", async ({ page, demo }) => {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(demo.console.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await expect(page.getByText("do not belong together")).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("says how long to wait after too many tries", async ({ page }) => {
  await page.route("**/api/auth/sign-in/email", (route) =>
    route.fulfill({
      status: 429,
      headers: { "x-retry-after": "42" },
      json: { message: "Too many requests." },
    }),
  );
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill("somebody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("whatever it was");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await expect(page.getByText("Wait 42 seconds")).toBeVisible();
});

test("asks to sign in again when the session has ended, and forgets what was on screen", async ({
  page,
  demo,
}) => {
  await page.goto("/sign-in");
  await signIn(page, demo.console);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();

  await page.context().clearCookies();

  // The next look of the live list is refused.
  await expect(page.getByRole("heading", { name: "Sign in to Posthorn" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Sign in to Posthorn" })).toBeVisible();
});

test("signs out, on the server too", async ({ page, demo }) => {
  await page.goto("/sign-in");
  await signIn(page, demo.console);
  await page.getByRole("button", { name: `Account: ${demo.console.email}` }).click();
  await expect(page.getByText("Role admin")).toBeVisible();
  const cookies = await page.context().cookies();

  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in to Posthorn" })).toBeVisible();

  await page.context().addCookies(cookies);
  const answer = await page.request.get(`${demo.base_url}/tenants`);
  expect(answer.status()).toBe(401);
});

test("never leads away to another site after signing in", async ({ page, demo }) => {
  await page.goto("/sign-in?next=//evil.example/phish");
  await signIn(page, demo.console);

  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(demo.origin);
});
