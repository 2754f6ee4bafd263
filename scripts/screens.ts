import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "@playwright/test";
import { SECTION_GROUPS } from "#components/shell/navigation.ts";
import { installedChromium } from "./chromium.ts";

const usage = `usage: node scripts/screens.ts [--demo .posthorn/demo.json] [--only <name>,…] [--to docs/screens]

Takes a picture of every screen of a running demo (npm start), light, dark and 360 pixels wide.`;

const root = join(import.meta.dirname, "..");
const LOOKS = [
  { suffix: "", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { suffix: "-dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { suffix: "-narrow", colorScheme: "light", viewport: { width: 360, height: 740 } },
] as const;

interface Demo {
  origin: string;
  base_url: string;
  console: { email: string; password: string };
  tenants: { id: string; api_key: string }[];
}

/** A screen by its name, with the path that shows it. */
type Screens = [name: string, path: string][];

/** Whether a screen is for people who are not signed in. */
const isOpen = (path: string) => /^\/(sign-in|invitation|portal\/)/.test(path);

/** Signs in once; gives the state that a browser needs to be signed in too. */
async function signIn(browser: Browser, { origin, console: { email, password } }: Demo) {
  const context = await browser.newContext();
  const headers = { origin };
  const answer = await context.request.post(`${origin}/api/auth/sign-in/email`, {
    data: { email, password },
    headers,
  });
  if (!answer.ok()) throw new Error(`Signing in failed: ${answer.status()} ${await answer.text()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** The sections of the rail, and of each kind of thing one that the demo has. */
async function screensOf({ base_url, tenants: [tenant] }: Demo): Promise<Screens> {
  const sections = SECTION_GROUPS.flat().map(({ href }): [string, string] => [href.slice(1), href]);
  const first = async (path: string) => {
    const headers = { authorization: `Bearer ${tenant?.api_key}` };
    const answer = await fetch(base_url + path, { headers });
    const { items } = (await answer.json()) as { items?: { id: string }[] };
    return items?.[0]?.id;
  };
  const things = [
    ["delivery", "/deliveries", await first("/deliveries?status=failed&limit=1")],
    ["endpoint", "/endpoints", await first("/webhook-endpoints?limit=1")],
    ["event", "/events", await first("/events?limit=1")],
    ["replay", "/replays", await first("/replays?limit=1")],
  ] as const;
  const found = things.flatMap(([name, path, id]): Screens => (id ? [[name, `${path}/${id}`]] : []));
  const [[, , delivery], [, , endpoint]] = things;
  return [
    ["sign-in", "/sign-in"],
    ["invitation", "/invitation#token=unknown&email=kim%40example.com"],
    ...sections,
    ...found,
    ["delivery-drawer", `/deliveries?open=${delivery}`],
    ["endpoint-new", "/endpoints/new"],
    ["endpoint-rotate", `/endpoints/${endpoint}/rotate`],
    ["event-type", "/event-types/OrderCreated"],
    ["account", "/settings?tab=account"],
    ...(await portalOf(base_url, tenant?.api_key ?? "")),
  ];
}

/** Pages of a portal, by a link made for that, and what a link shows that does not work. */
async function portalOf(baseUrl: string, apiKey: string): Promise<Screens> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const theme = { name: "Acme webhooks", accent_color: "#0a7d5c" };
  const body = JSON.stringify({ name: "docs/screens", access: ["endpoints", "replay"], theme });
  const answer = await fetch(`${baseUrl}/portal-links`, { method: "POST", headers, body });
  const { url } = (await answer.json()) as { url: string };
  const path = new URL(url).pathname;
  return [
    ["portal", path],
    ["portal-endpoints", `${path}/endpoints`],
    ["portal-ended", "/portal/posthorn_portal_unknown"],
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      demo: { type: "string", default: join(root, ".posthorn", "demo.json") },
      to: { type: "string", default: join(root, "docs", "screens") },
      only: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return console.log(usage);
  const demo = JSON.parse(await readFile(values.demo, "utf8")) as Demo;
  const wanted = values.only?.split(",");
  const screens = (await screensOf(demo)).filter(([name]) => wanted?.includes(name) ?? true);
  const browser = await chromium.launch(await installedChromium((line) => console.error(line)));
  try {
    const signedIn = await signIn(browser, demo);
    for (const { suffix, ...look } of LOOKS)
      for (const [name, path] of screens) {
        const storageState = isOpen(path) ? undefined : signedIn;
        const context = await browser.newContext({ ...look, storageState, reducedMotion: "reduce" });
        const page = await context.newPage();
        const url = new URL(path, demo.origin);
        url.searchParams.set("tenant", demo.tenants[0]?.id ?? "");
        await page.goto(url.href);
        // Nothing is still being read: skeletons have gone.
        await page.waitForFunction(() => !document.querySelector("[aria-busy=true], .mantine-Skeleton-root"));
        await page.waitForTimeout(400);
        const file = join(values.to, `${name}${suffix}.png`);
        await page.screenshot({ path: file });
        console.log(`wrote ${file}`);
        await context.close();
      }
  } finally {
    await browser.close();
  }
}

await main();
