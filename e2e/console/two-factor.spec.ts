import type { BrowserContext, Page } from "@playwright/test";
import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import { signIn } from "../sign-in.ts";
import { authenticatorApp } from "./authenticator-app.ts";
import { expect as hasty, test } from "./fixtures.ts";

const expect = hasty.configure({ timeout: 30_000 });

// One long story: passwords and whole pages take a while on a busy machine.
test.describe.configure({ timeout: 240_000 });

const PASSWORD = "correct horse battery staple";
async function looksGood(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);
}

async function givePassword(page: Page, email: string): Promise<void> {
  await page.goto("/sign-in?next=/settings%3Ftab%3Daccount");
  await signIn(page, { email, password: PASSWORD });
}

const accountIsOpen = (page: Page) => expect(page.getByRole("heading", { name: "Passkeys" })).toBeVisible();

const isSignedIn = async (context: BrowserContext) =>
  (await context.cookies()).some(({ name }) => name.endsWith("session_token"));

test("somebody turns two-factor on, signs in with codes and a passkey, and an admin resets it", async ({
  page,
  browser,
  demo,
}) => {
  // Passkeys are bound to a name: the console as `localhost`, where the admin's page has an address.
  const origin = demo.origin.replace("127.0.0.1", "localhost");
  const email = `kim-${Date.now()}@example.com`;
  // The session that tests share may be too old for what needs a recent sign-in.
  const headers = { origin: demo.origin };
  await page.request.post("/api/auth/sign-in/email", { data: demo.console, headers });
  await page.goto("/staff?open=new");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Name").fill("Kim");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = ((await page.getByTestId("sign-in-link").textContent()) ?? "").replace(demo.origin, origin);
  const context = await browser.newContext({ baseURL: origin, storageState: { cookies: [], origins: [] } });
  const kim = await context.newPage();
  await kim.goto(link);
  await kim.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await kim.getByLabel("New password again", { exact: true }).fill(PASSWORD);
  await kim.keyboard.press("Enter");
  await expect(kim.getByRole("heading", { name: "Overview" })).toBeVisible();

  // Set-up: the key, a wrong code, the first code, backup codes.
  await kim.goto("/settings?tab=account");
  await kim.getByRole("button", { name: "Set up two-factor" }).click();
  await expect(kim.getByRole("img", { name: /QR code/ })).toBeVisible();
  const code = authenticatorApp((await kim.getByTestId("two-factor-key").textContent()) ?? "");
  const field = kim.getByLabel("Code that the app shows now");
  await expect(field).toBeFocused();
  await looksGood(kim);
  await field.fill("000000");
  await kim.keyboard.press("Enter");
  await expect(kim.getByText("This is not the code of now")).toBeVisible();
  await field.fill(code());
  await kim.keyboard.press("Enter");
  const [backup = ""] = ((await kim.getByTestId("backup-codes").textContent()) ?? "").split("\n");
  await expect(kim.getByRole("status", { name: "Your backup codes" })).toBeFocused();
  expect(backup).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  await kim.getByRole("button", { name: "I have saved them" }).click();
  await expect(kim.getByText("10 backup codes left")).toBeVisible();
  await expect(kim.getByRole("heading", { name: "Two-factor" })).toBeFocused();

  // Signing in: no session before the code; a wrong one, one of the app, a backup code.
  await context.clearCookies();
  await givePassword(kim, email);
  await expect(kim.getByLabel("Code", { exact: true })).toBeFocused();
  expect(await isSignedIn(context)).toBe(false);
  await looksGood(kim);
  await kim.keyboard.type("000000");
  await kim.keyboard.press("Enter");
  await expect(kim.getByText("That code is wrong, or was used before")).toBeVisible();
  await kim.getByLabel("Code", { exact: true }).fill(code());
  await kim.keyboard.press("Enter");
  await accountIsOpen(kim);

  await context.clearCookies();
  await givePassword(kim, email);
  await kim.getByRole("button", { name: "Use a backup code" }).click();
  await expect(kim.getByLabel("Backup code")).toBeFocused();
  await kim.keyboard.type(backup);
  await kim.keyboard.press("Enter");
  await expect(kim.getByText("9 backup codes left")).toBeVisible();

  // A passkey: added, and signed in with, which needs neither password nor code.
  const devtools = await context.newCDPSession(kim);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await kim.getByLabel("Name of the new one").fill("Kim’s laptop");
  await kim.keyboard.press("Enter");
  await expect(kim.getByText("never used")).toBeVisible();
  await looksGood(kim);
  await context.clearCookies();
  await kim.goto("/sign-in?next=/settings%3Ftab%3Daccount");
  await kim.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(kim.getByText(/last used/)).toBeVisible();
  await kim.getByRole("button", { name: "Rename Kim’s laptop" }).click();
  await kim.getByLabel("New name of Kim’s laptop").fill("Old laptop");
  await kim.keyboard.press("Enter");
  await expect(kim.getByRole("button", { name: "Remove Old laptop" })).toBeVisible();

  // Under an address there are none, and it is said what to do.
  await kim.goto(`${demo.origin}/sign-in`);
  await expect(kim.getByText(`Open the console as ${origin} to use them`)).toBeVisible();
  expect(await accessibilityProblems(kim)).toEqual([]);

  // An admin resets it: sessions end, the passkey is none any more, and the password alone lets in.
  await page.goto("/staff");
  await page.getByRole("link", { name: email }).click();
  await page.getByRole("button", { name: "Reset two-factor" }).click();
  await page
    .getByRole("dialog", { name: /^Reset the two-factor/ })
    .getByRole("button", { name: "Reset two-factor" })
    .click();
  await expect(page.getByText("There is nothing to reset.")).toBeVisible();
  await kim.goto("/sign-in?next=/settings%3Ftab%3Daccount");
  await kim.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(kim.getByText("does not know this passkey")).toBeVisible();
  await givePassword(kim, email);
  await expect(kim.getByRole("button", { name: "Set up two-factor" })).toBeVisible();

  await page.goto(`/audit?target=${email}`);
  for (const action of [
    ...["staff.set_up_two_factor", "staff.turn_on_two_factor", "staff.use_backup_code"],
    ...["staff.add_passkey", "staff.rename_passkey", "staff.reset_second_factors"],
  ])
    await expect(page.getByRole("link", { name: new RegExp(action) })).toBeVisible();
  await context.close();
});
