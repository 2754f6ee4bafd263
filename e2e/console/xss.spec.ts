import type { Page } from "@playwright/test";
import type { Demo } from "../fixtures.ts";
import { expect as hasty, type Stage, test } from "./fixtures.ts";

const expect = hasty.configure({ timeout: 30_000 });
// One story through every screen that shows what others wrote.
test.describe.configure({ timeout: 300_000 });

/** Markup that would run as HTML, and would ask another origin; `where` tells one place from another. */
const mark = (where: string) => `<img src=//evil.example/${where} onerror=__xss=1>`;
const BREAKS_OUT = "</script></textarea></title>\"'><script>__xss=1</script><svg onload=__xss=1>";
const LINK = "javascript:__xss=1";

type Call = (method: string, path: string, json?: object) => Promise<{ id: string; status: number }>;

/** What a tenant's program, or a member of staff by the session of the page, asks the API. */
function callers(page: Page, demo: Demo, stage: Stage): { asTenant: Call; asStaff: Call } {
  const caller = (headers: Record<string, string>): Call => {
    return async (method, path, json) => {
      const answer = await page.request.fetch(demo.base_url + path, {
        method,
        headers,
        ...(json ? { data: json } : {}),
      });
      const { id } = (await answer.json().catch(() => ({}))) as { id: string };
      return { id, status: answer.status() };
    };
  };
  const key = demo.tenants.find(({ id }) => id === stage.tenantId)?.api_key;
  return {
    asTenant: caller({ authorization: `Bearer ${key}` }),
    asStaff: caller({ origin: demo.origin, "posthorn-tenant": stage.tenantId }),
  };
}

interface Made {
  endpoint: string;
  event: string;
  replay: string;
  tenant: string;
  staff: string;
}

/** Puts markup wherever the API takes words of others. */
async function plant(page: Page, demo: Demo, stage: Stage): Promise<Made> {
  const { asTenant, asStaff } = callers(page, demo, stage);
  const made = async (call: Promise<{ id: string; status: number }>) => {
    const { id, status } = await call;
    expect(status).toBeLessThan(300);
    return id;
  };
  const body = `<!doctype html>${mark("answer")}${BREAKS_OUT}`;
  stage.answer = {
    status: 422,
    headers: { "content-type": "text/html", "x-request-id": mark("header") },
    body,
  };
  await made(
    asTenant("PUT", `/event-types/${stage.eventType}`, {
      description: mark("type"),
      schema: { title: mark("schema"), properties: { [mark("property")]: { type: "string" } } },
      example: { a: mark("example") },
    }),
  );
  const endpoint = await made(
    asTenant("POST", "/webhook-endpoints", {
      url: `http://${stage.host}/hooks?next=<svg/onload=__xss=1>`,
      description: mark("endpoint"),
      event_types: [stage.eventType],
      metadata: { note: mark("metadata").slice(0, 40) },
    }),
  );
  const data = { [mark("member")]: mark("payload"), text: BREAKS_OUT, link: LINK };
  const event = await stage.publish(data);
  const recovery = { since: new Date(Date.now() - 3_600_000).toISOString() };
  const replay = await made(asTenant("POST", `/webhook-endpoints/${endpoint}/recoveries`, recovery));
  const tenant = await made(asStaff("POST", "/tenants", { name: mark("tenant") }));
  await made(asTenant("POST", "/api-keys", { name: mark("key"), scopes: ["events:read"] }));
  // The session of all these tests may have begun long ago.
  await asStaff("PUT", "/account/reauthentication", { password: demo.console.password });
  const person = { email: `xss-${Date.now()}@example.com`, name: mark("staff"), role: "viewer" };
  const staff = await made(asStaff("POST", "/staff", person));
  // Markup is no name of a type, and no URL.
  const refused = [
    await asTenant("POST", "/events", { type: mark("name"), data: {} }),
    await asTenant("PUT", `/event-types/${encodeURIComponent(mark("name"))}`, {}),
    await asTenant("POST", "/webhook-endpoints", { url: LINK, event_types: ["*"] }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
  return { endpoint, event, replay, tenant, staff };
}

/** Whatever would show that a page took markup for its own: it fills as pages are looked at. */
async function watch(page: Page, origin: string): Promise<string[]> {
  const signs: string[] = [];
  page.on("dialog", (dialog) => {
    signs.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => signs.push(`an error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (/^https?:/.test(url) && new URL(url).origin !== origin) signs.push(`asked for ${url}`);
  });
  await page.exposeFunction("posthornSign", (sign: string) => signs.push(sign));
  await page.addInitScript(() => {
    const tell = (sign: string) =>
      (window as unknown as { posthornSign(sign: string): void }).posthornSign(sign);
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      tell(`the policy stopped ${violatedDirective} ${blockedURI}`),
    );
    Object.defineProperty(window, "__xss", { set: () => tell("a script ran") });
  });
  return signs;
}

/** Waits until the page shows the text as it is, in its words or in a field. */
async function showsText(page: Page, text: string): Promise<void> {
  const isShown = () =>
    page.evaluate((wanted) => {
      const fields = [...document.querySelectorAll("input, textarea")] as HTMLInputElement[];
      return document.body.innerText.includes(wanted) || fields.some(({ value }) => value.includes(wanted));
    }, text);
  await expect.poll(isShown, { message: `${page.url()} shows ${text}` }).toBe(true);
  await showsNoMarkup(page);
}

/** Once everything is read, nothing on the page came from what others wrote. */
async function showsNoMarkup(page: Page): Promise<void> {
  await expect(page.locator("[aria-busy=true], .mantine-Skeleton-root")).toHaveCount(0);
  const injected = "img, iframe, object, embed, a[href^='javascript:'], svg[onload], [onerror], [onload]";
  expect(await page.locator(injected).count(), page.url()).toBe(0);
}

test("whatever tenants, receivers and colleagues write is text on every screen that shows it", async ({
  page,
  demo,
  stage,
}) => {
  const { endpoint, event, replay, tenant, staff } = await plant(page, demo, stage);
  const signs = await watch(page, demo.origin);
  const visit = async (path: string, ...texts: string[]) => {
    await page.goto(
      path + (path.includes("tenant=") ? "" : `${path.includes("?") ? "&" : "?"}tenant=${stage.tenantId}`),
    );
    for (const text of texts) await showsText(page, text);
    await showsNoMarkup(page);
  };

  await visit(`/deliveries?endpoint=${endpoint}&status=failed`);
  await page.getByRole("table").getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: stage.eventType })).toBeVisible();
  for (const where of ["payload", "member", "answer", "header"]) await showsText(page, mark(where));
  await showsText(page, BREAKS_OUT);

  await visit(`/events/${event}`, mark("payload"), LINK);
  await visit(`/events?type=${stage.eventType}`, mark("member"));
  await visit(`/endpoints/${endpoint}`, mark("endpoint"));
  await visit(`/endpoints/${endpoint}/edit`, mark("endpoint"));
  await visit("/endpoints", "hooks");
  await visit("/event-types", mark("type"));
  await visit(
    `/event-types/${stage.eventType}`,
    mark("type"),
    mark("schema"),
    mark("property"),
    mark("example"),
  );
  await visit("/failures", "Terminal failures");
  await visit(`/replays/${replay}`, replay);
  await visit("/overview", "Attempts by the minute");
  await visit("/api-keys", mark("key"));
  await visit("/tenants", mark("tenant"));
  await visit(`/deliveries?tenant=${tenant}`, mark("tenant"));
  await visit(`/staff?open=${staff}`, mark("staff"));
  await visit("/audit?action=api_key.create", "api_key.create");
  await page.getByRole("link", { name: "api_key.create" }).first().click();
  await showsText(page, mark("key"));

  // What is typed, and what somebody's link says.
  const asked = encodeURIComponent(mark("asked"));
  await visit(`/deliveries?q=${asked}`, mark("asked"));
  await page.getByRole("button", { name: /^View/ }).click();
  await page.getByLabel("Name of the view").fill(mark("view"));
  await page.getByLabel("Name of the view").press("Enter");
  await showsText(page, mark("view"));
  for (const path of ["/deliveries?type=", "/events?type=", "/audit?target=", "/endpoints/", "/deliveries/"])
    await visit(path + asked);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(signs).toEqual([]);

  // Had any of it been taken for markup, that would have shown.
  await page.evaluate((html) => document.body.insertAdjacentHTML("beforeend", html), mark("planted"));
  await expect
    .poll(() => signs.join())
    .toMatch(/img-src http:\/\/evil\.example\/planted.*script-src-attr inline/);
});
