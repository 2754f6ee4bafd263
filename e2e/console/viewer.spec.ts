import type { Browser, Page, PlaywrightWorkerArgs } from "@playwright/test";
import type { Demo } from "../fixtures.ts";
import { failed, rowsOf } from "./failing.ts";
import { expect as hasty, type Stage, test } from "./fixtures.ts";

const expect = hasty.configure({ timeout: 20_000 });
const PASSWORD = "correct horse battery staple";
const REASON = /^(?:Your role, viewer, may|Only admins)/;
const NOTHING = { cookies: [], origins: [] };

/** What there is of the stage, by its id. */
interface Things {
  stage: Stage;
  delivery: string;
  event: string;
  replay: string;
}

/** A screen: what is refused on it, and what it says in place of what is kept from viewers. */
interface Screen {
  path: string;
  /** Buttons that are there, disabled, with the reason. */
  refused?: (string | RegExp)[];
  says?: string;
}

/** The screens of each section of the rail, by its address. A new section needs a line. */
const screensOf = ({ stage, delivery, event, replay }: Things): Record<string, Screen[]> => ({
  "/overview": [{ path: "/overview", says: "Recent terminal failures" }],
  "/deliveries": [
    { path: `/deliveries?type=${stage.eventType}`, refused: [/^Replay$/, /^Dismiss$/, /^Cancel$/] },
    { path: `/deliveries/${delivery}`, refused: ["Replay"] },
  ],
  "/failures": [{ path: "/failures", refused: [/^Replay/, /^Dismiss/] }],
  "/endpoints": [
    { path: "/endpoints", refused: ["New endpoint"] },
    {
      path: `/endpoints/${stage.endpointId}`,
      refused: ["Send test event", "Resume", /^Recover failed/, /^Replay missing/, "Disable", "Delete"],
    },
    { path: `/endpoints/${stage.endpointId}/edit`, refused: ["Save"] },
    { path: `/endpoints/${stage.endpointId}/rotate`, refused: ["Make the new secret"] },
  ],
  "/events": [{ path: `/events/${event}`, refused: ["Expunge data"] }],
  "/event-types": [
    { path: "/event-types", refused: ["New event type"] },
    { path: "/event-types/-new", says: "New event types are not yours to make" },
    { path: `/event-types/${stage.eventType}`, refused: ["Save changes", "Delete"] },
  ],
  "/replays": [{ path: `/replays/${replay}`, refused: ["Cancel replay"] }],
  "/api-keys": [{ path: "/api-keys", refused: ["New API key"], says: "API keys are not for your role" }],
  "/portal-links": [{ path: "/portal-links", refused: ["New portal link"] }],
  "/tenants": [{ path: "/tenants", refused: ["New tenant"] }],
  "/staff": [{ path: "/staff", refused: ["Invite somebody"], says: "Only admins see this" }],
  "/audit": [{ path: "/audit", says: "Only admins see this" }],
  "/settings": [{ path: "/settings?tab=installation", says: "Only admins see this" }],
});

/** What a program within the page might try, with bodies that would be right. */
const attemptsOf = ({ stage, delivery, event, replay }: Things): [string, string, object?][] => [
  ["POST", `/deliveries/${delivery}/replay`, {}],
  ["POST", `/deliveries/${delivery}/dismiss`, {}],
  ["POST", `/webhook-endpoints/${stage.endpointId}/disable`, {}],
  ["POST", `/webhook-endpoints/${stage.endpointId}/secret-rotations`, {}],
  ["DELETE", `/webhook-endpoints/${stage.endpointId}`],
  ["DELETE", `/events/${event}/data`],
  ["PUT", `/event-types/${stage.eventType}`, { description: "mine" }],
  ["POST", `/replays/${replay}/cancel`, {}],
  ["POST", "/api-keys", { name: "mine", scopes: ["events:read"] }],
  ["POST", "/portal-links", { name: "mine" }],
  ["POST", "/tenants", { name: "mine" }],
  ["POST", "/staff", { email: "mine@example.com", name: "mine", role: "admin" }],
];

/** Has an admin invite a viewer, who takes a password; gives the e-mail. */
async function inviteViewer(demo: Demo, playwright: PlaywrightWorkerArgs["playwright"]): Promise<string> {
  const request = await playwright.request.newContext({
    baseURL: demo.origin,
    extraHTTPHeaders: { origin: demo.origin },
    storageState: NOTHING,
  });
  const post = async (path: string, data: object) => {
    const answer = await request.post(path, { data });
    if (!answer.ok()) throw new Error(`POST ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as { sign_in_link?: string };
  };
  const email = `viewer-${Date.now()}@example.com`;
  await post("/api/auth/sign-in/email", { email: demo.console.email, password: demo.console.password });
  const invited = await post("/api/v1/staff", { email, name: "Vera", role: "viewer" });
  const token = new URLSearchParams(new URL(invited.sign_in_link ?? "").hash.slice(1)).get("token");
  await post("/api/auth/reset-password", { token, newPassword: PASSWORD });
  await request.dispose();
  return email;
}

async function signIn(browser: Browser, demo: Demo, email: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: demo.origin, storageState: NOTHING });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  return page;
}

/** A call of the API with the key of the stage's tenant. */
async function call(demo: Demo, method: string, path: string, json?: object) {
  const answer = await fetch(demo.base_url + path, {
    method,
    headers: { authorization: `Bearer ${demo.tenants[1]?.api_key}`, "content-type": "application/json" },
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  return answer.json();
}

/** A delivery that failed, its event and its type, and a replay that has not ended because its endpoint is paused. */
async function make(page: Page, demo: Demo, stage: Stage): Promise<Things> {
  await failed(page, stage, 1);
  const endpoint = `/webhook-endpoints/${stage.endpointId}`;
  const { items } = await call(demo, "GET", `/deliveries?event_type=${stage.eventType}`);
  await call(demo, "PUT", `/event-types/${stage.eventType}`, { description: "ours" });
  await call(demo, "POST", `${endpoint}/pause`);
  const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
  const replay = await call(demo, "POST", `${endpoint}/replays`, range);
  return { stage, delivery: items[0].id, event: items[0].event_id, replay: replay.id };
}

test("a viewer sees every section, is told why they may not act, and cannot behind its back", async ({
  page: admin,
  browser,
  demo,
  playwright,
  stage,
}) => {
  test.setTimeout(300_000);
  const things = await make(admin, demo, stage);
  const screens = screensOf(things);
  const page = await signIn(browser, demo, await inviteViewer(demo, playwright));
  const sections = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
  const paths = await sections.evaluateAll((links) =>
    links.map((link) => (link as HTMLAnchorElement).pathname),
  );
  expect(paths).toEqual(Object.keys(screens));

  const all = Object.entries(screens).flatMap(([href, some]) => some.map((screen) => ({ href, ...screen })));
  for (const { href, path, refused = [], says } of all) {
    if (path === href) await sections.and(page.locator(`[href^="${href}?"]`)).click();
    else await page.goto(`${path}${path.includes("?") ? "&" : "?"}tenant=${stage.tenantId}`);
    await expect(page).toHaveURL((url) => url.pathname === path.split("?")[0]);
    if (path.startsWith("/deliveries?")) {
      await expect(rowsOf(page)).toHaveCount(1);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    }
    for (const name of refused) {
      const button = page.getByRole("main").getByRole("button", { name }).first();
      await expect.soft(button, `${path} ${name}`).toHaveAttribute("aria-disabled", "true");
      await expect.soft(button, `${path} ${name}`).toHaveAccessibleDescription(REASON);
    }
    if (says) await expect.soft(page.getByRole("heading", { name: says }), path).toBeVisible();
  }
  await page.goto(`/event-types/${stage.eventType}?tenant=${stage.tenantId}`);
  await expect(page.getByRole("textbox", { name: "Description" })).toHaveAttribute("readonly", "");

  const answers = await page.evaluate(
    ({ attempts, tenantId }) =>
      Promise.all(
        attempts.map(async ([method, path, body]) => {
          const headers = { "content-type": "application/json", "posthorn-tenant": tenantId };
          const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
          return `${(await fetch(`/api/v1${path}`, init)).status} ${method} ${path}`;
        }),
      ),
    { attempts: attemptsOf(things), tenantId: stage.tenantId },
  );
  expect(answers).toEqual(attemptsOf(things).map(([method, path]) => `403 ${method} ${path}`));
  await call(demo, "POST", `/replays/${things.replay}/cancel`);
  await page.context().close();
});
