import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "@playwright/test";
import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import { watchAnswers } from "../conforming.ts";
import type { Demo } from "../fixtures.ts";
import { expect, type Stage, test } from "./fixtures.ts";

const MENDED = "/webhooks";
const NO_LINK = "This link does not work";

/** The program of a consumer, which listens on one path alone. */
async function openConsumer(stage: Stage, post: Post) {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(request.url === MENDED ? 202 : 422).end());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await post("/webhook-endpoints", { url: `http://${host}/webhoks`, event_types: [stage.eventType] });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { host, close };
}

type Post = (path: string, body: object) => Promise<Record<string, string>>;

/** Calls of the API with the key of the stage's tenant. */
const postOf =
  (demo: Demo, stage: Stage): Post =>
  async (path, body) => {
    const key = demo.tenants.find(({ id }) => id === stage.tenantId)?.api_key;
    const answer = await fetch(demo.base_url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };

/** An operator makes a link in the console, and takes along what is shown this once. */
async function makeLink(page: Page, { demo, stage, name }: { demo: Demo; stage: Stage; name: string }) {
  const again = { data: { password: demo.console.password }, headers: { origin: demo.origin } };
  expect((await page.request.put("/api/v1/account/reauthentication", again)).status()).toBeLessThan(300);
  await page.goto(`/portal-links?tenant=${stage.tenantId}`);
  await page.getByRole("button", { name: "New portal link" }).click();
  const dialog = page.getByRole("dialog", { name: "New portal link" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Acme webhooks");
  await dialog.getByRole("textbox", { name: "Colour", exact: true }).fill("yellow");
  await dialog.getByRole("button", { name: "Make the link" }).click();
  await expect(dialog.getByText("Say who it is for.")).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "Colour", exact: true })).toHaveAccessibleDescription(
    /#rrggbb/,
  );

  await dialog.getByRole("textbox", { name: "Who it is for" }).fill(name);
  await dialog.getByRole("textbox", { name: "Colour", exact: true }).fill("#ffd400");
  await expect(dialog.getByText("Nothing could be read on #ffd400")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Make the link" }).click();
  const url = (await page.getByTestId("secret").textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Active");
  expect(await page.content()).not.toContain(url.split("/").at(-1));
  return url;
}

/** A browser that knows nothing of the console. */
const stranger = (browser: Browser, demo: Demo) =>
  browser.newContext({ baseURL: demo.origin, storageState: { cookies: [], origins: [] } });

/** What axe finds in both schemes, and by how much the page is wider than a telephone. */
async function judge(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);
}

test("a consumer mends their URL by a link and recovers what failed, until the link is revoked", async ({
  page,
  browser,
  demo,
  stage,
}) => {
  test.slow();
  const name = `Kim ${stage.eventType}`;
  const { host, close } = await openConsumer(stage, postOf(demo, stage));
  await stage.publish();
  const url = await makeLink(page, { demo, stage, name });

  const context = await stranger(browser, demo);
  const kim = await context.newPage();
  const defects = watchAnswers(kim, demo.base_url);
  await kim.goto(url);
  await expect(kim.getByRole("link", { name: "Acme webhooks" })).toBeVisible();
  await expect(kim.getByText("This link works until")).toBeVisible();
  await expect(kim.getByRole("heading", { name: "Recent terminal failures" })).toBeVisible();
  await judge(kim);

  await kim.getByRole("navigation").getByRole("link", { name: "Endpoints" }).click();
  await kim.getByRole("textbox", { name: "Search in URLs" }).fill(host);
  await kim.getByRole("table").getByRole("link").first().click();
  await expect(kim.getByRole("row").filter({ hasText: "Failed" })).toHaveCount(1);
  await kim.getByRole("link", { name: "Edit" }).click();
  await kim.getByRole("textbox", { name: "URL" }).fill(`http://${host}${MENDED}`);
  await kim.getByRole("button", { name: "Save" }).click();
  await expect(kim.getByRole("heading", { level: 1, name: `${host}${MENDED}` })).toBeVisible();

  await kim.getByRole("button", { name: "Send test event" }).click();
  await kim.getByRole("combobox", { name: "Event type" }).fill("OrderCreated");
  await kim.getByRole("option", { name: "OrderCreated" }).click();
  await kim.getByRole("button", { name: "Send", exact: true }).click();
  await expect(kim.getByTestId("test-result")).toContainText("Status 202.");
  await kim.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await kim.getByRole("button", { name: "Recover failed since" }).click();
  await kim.getByRole("button", { name: "Send 1 delivery" }).click();
  await expect(kim.getByRole("link", { name: "Follow the replay" })).toBeVisible();
  await kim.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  const row = kim.getByRole("row").filter({ hasText: stage.eventType });
  await expect(row).toContainText("Delivered", { timeout: 20_000 });
  await row.getByRole("link").click();
  await expect(kim.getByRole("heading", { name: "2 attempts" })).toBeVisible();
  await judge(kim);

  await page.getByRole("button", { name: `Revoke the link for ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Revoked");
  // Whatever comes first finds it out: what they do next, or the page that looks again by itself.
  const ended = kim.getByRole("heading", { name: NO_LINK });
  await expect(async () => {
    if (!(await ended.isVisible())) await kim.keyboard.press("r");
    await expect(ended).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await kim.getByRole("button", { name: "Show what was open" }).click();
  await expect(kim.getByText("Nothing is read or saved here any more")).toBeVisible();
  expect(await defects()).toEqual([]);
  await kim.reload();
  await expect(ended).toBeVisible();
  expect(await accessibilityProblems(kim)).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  await context.close();
  close();
});

test("a link that only looks says what it refuses, in frames of the origins it names and no other", async ({
  browser,
  demo,
  stage,
}) => {
  let html = "";
  const host = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(html),
  );
  await once(host.listen(0, "127.0.0.1"), "listening");
  const { port } = host.address() as AddressInfo;
  const made = await postOf(demo, stage)("/portal-links", {
    name: "a page that embeds it",
    access: [],
    frame_ancestors: [`http://localhost:${port}`],
  });
  html = `<!doctype html><title>Host</title><iframe src="${made.url}" width="1000" height="700"></iframe>`;
  const context = await stranger(browser, demo);
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/`);
  const frame = page.frameLocator("iframe");
  await frame.getByRole("link", { name: "Endpoints" }).click();
  await frame.getByRole("table").getByRole("link").first().click();
  await expect(frame.getByRole("button", { name: "Delete" })).toHaveAccessibleDescription(
    "This link may not change endpoints. Ask whoever sent it to you for one that may.",
  );

  await page.goto(`http://127.0.0.1:${port}/`);
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  expect(await context.cookies()).toEqual([]);
  await context.close();
  host.close();
  host.closeAllConnections();
});
