import { fillForm, openEndpoint } from "./endpoint-pages.ts";
import { expect, test } from "./fixtures.ts";

test("registers an endpoint, shows its secret this once, and sends it what it asks for", async ({
  page,
  stage,
}) => {
  await stage.publish({ Total: 12 });
  await stage.publish({ Total: 500 });
  await fillForm(page, stage, `http://${stage.host}/second`);
  await expect(page.getByText(/^2 of the last \d+ events? would be sent\.$/)).toBeVisible();
  await page.getByRole("textbox", { name: "Filter" }).fill('{"Total":{"$gte":100}}');
  await expect(page.getByText(/^1 of the last \d+ events? would be sent\.$/)).toBeVisible();

  await page.getByRole("button", { name: "Register the endpoint" }).click();

  await expect(page.getByRole("heading", { name: "The endpoint is registered" })).toBeVisible();
  const secret = (await page.getByTestId("secret").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^whe_.*-v1\.txt$/);

  await page.getByRole("link", { name: /to the endpoint$/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: `${stage.host}/second` })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  await page.goBack();
  await expect(page.getByRole("textbox", { name: "URL" })).toHaveValue("");
});

test("says which field is wrong, here and by the server, and keeps what was typed", async ({
  page,
  stage,
}) => {
  await fillForm(page, stage, "http://user:pass@example.com/x");
  await page.getByRole("textbox", { name: "Requests at a time" }).fill("1000");
  await page.getByRole("textbox", { name: "Filter" }).fill("{total");
  await page.getByRole("button", { name: "Register the endpoint" }).click();
  await expect(page.getByRole("textbox", { name: "Filter" })).toHaveAccessibleDescription(/This is no JSON/);

  await page.getByRole("textbox", { name: "Filter" }).fill("");
  await page.getByRole("button", { name: "Register the endpoint" }).click();
  await expect(page.getByRole("textbox", { name: "Requests at a time" })).toHaveAttribute(
    "aria-invalid",
    "true",
  );

  await page.getByRole("textbox", { name: "Requests at a time" }).fill("10");
  await page.getByRole("button", { name: "Register the endpoint" }).click();
  await expect(page.getByRole("textbox", { name: "URL" })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("textbox", { name: "URL" })).toHaveValue("http://user:pass@example.com/x");
});

test("saves a change on top of somebody else's, and undoes nothing of theirs", async ({
  page,
  stage,
  demo,
}) => {
  await openEndpoint(page, stage);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Description" }).fill("mine");
  const id = /whe_[0-9a-f-]+/.exec(page.url())?.[0] ?? "";
  const key = demo.tenants.find(({ id: tenant }) => tenant === stage.tenantId)?.api_key;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const at = `${demo.base_url}/webhook-endpoints/${id}`;
  const { version } = (await (await fetch(at, { headers })).json()) as { version: number };
  const theirs = JSON.stringify({ timeout_ms: 7_000 });
  await fetch(at, { method: "PATCH", headers: { ...headers, "if-match": `"${version}"` }, body: theirs });

  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Somebody has changed this endpoint meanwhile")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue("mine");
  await page.getByRole("button", { name: "Save my changes on top" }).click();

  await expect(page.getByText("mine", { exact: true })).toBeVisible();
  await expect(page.getByText("timeout 7 s")).toBeVisible();
});

test("shows what a hostile description holds as text and nothing else", async ({ page, stage }) => {
  const hostile = '<img src=x onerror="document.title=`owned`">';
  await fillForm(page, stage, `http://${stage.host}/hostile`);
  await page.getByRole("textbox", { name: "Description" }).fill(hostile);
  await page.getByRole("button", { name: "Register the endpoint" }).click();
  await page.getByRole("link", { name: /to the endpoint$/ }).click();

  await expect(page.getByText(hostile)).toBeVisible();
  await expect(page.locator("img")).toHaveCount(0);
  await expect(page).toHaveTitle("Endpoint · Posthorn");
});
