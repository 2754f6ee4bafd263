import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { installedChromium } from "./chromium.ts";
import { toolPath } from "./run-tool.ts";

const VERSION = "13.5.0";
const usage = `usage: node scripts/lighthouse.ts [--demo .posthorn/demo.json] [--path /deliveries]

Lets Lighthouse ${VERSION} (fetched by npx) judge a page of a running demo (npm start), signed in, on its desktop preset.
Ends with 1 where performance is below 0.95, or accessibility or best practices below 1.`;

const root = join(import.meta.dirname, "..");
const WANTED = { performance: 0.95, accessibility: 1, "best-practices": 1 } as const;

const Report = z.object({
  categories: z.record(
    z.string(),
    z.object({ score: z.number().nullable(), auditRefs: z.array(z.object({ id: z.string() })) }),
  ),
  audits: z.record(
    z.string(),
    z.object({ title: z.string(), score: z.number().nullable(), displayValue: z.string().optional() }),
  ),
});
type Report = z.infer<typeof Report>;

const Demo = z.object({
  origin: z.url(),
  console: z.object({ email: z.string(), password: z.string() }),
  tenants: z.array(z.object({ id: z.string() })),
});

/** Signs in; gives the Cookie header of the session. */
async function signIn({ origin, console: { email, password } }: z.infer<typeof Demo>): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`Signing in failed: ${answer.status} ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

async function judge(url: string, cookie: string): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-lighthouse-"));
  try {
    const report = join(folder, "report.json");
    const { executablePath, args, env } = await installedChromium((line) => console.error(line));
    const options = [
      url,
      "--preset=desktop",
      `--only-categories=${Object.keys(WANTED).join(",")}`,
      ...["--output=json", `--output-path=${report}`, "--quiet"],
      `--extra-headers=${JSON.stringify({ Cookie: cookie })}`,
      `--chrome-flags=--headless=new --no-sandbox ${args.join(" ")}`,
    ];
    const { status } = spawnSync("npx", ["--yes", `lighthouse@${VERSION}`, ...options], {
      stdio: "inherit",
      env: {
        ...process.env,
        ...env,
        PATH: toolPath,
        ...(executablePath ? { CHROME_PATH: executablePath } : {}),
      },
    });
    if (status !== 0) throw new Error(`lighthouse ended with ${status}`);
    return Report.parse(JSON.parse(await readFile(report, "utf8")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function tell({ categories, audits }: Report): boolean {
  let holds = true;
  for (const [name, least] of Object.entries(WANTED)) {
    const { score, auditRefs } = categories[name] ?? { score: null, auditRefs: [] };
    holds &&= (score ?? 0) >= least;
    console.log(`${name}: ${score} (at least ${least})`);
    for (const { id } of auditRefs) {
      const audit = audits[id];
      if (audit?.score == null) continue;
      if (audit.score < 0.9 || (name === "performance" && audit.displayValue))
        console.log(`  ${audit.score}  ${audit.title}  ${audit.displayValue ?? ""}`);
    }
  }
  return holds;
}

const { values } = parseArgs({
  options: {
    demo: { type: "string", default: join(root, ".posthorn", "demo.json") },
    path: { type: "string", default: "/deliveries" },
    help: { type: "boolean", short: "h" },
  },
});
if (values.help) {
  console.log(usage);
} else {
  const demo = Demo.parse(JSON.parse(await readFile(values.demo, "utf8")));
  const url = `${demo.origin}${values.path}?tenant=${demo.tenants[0]?.id}`;
  process.exitCode = tell(await judge(url, await signIn(demo))) ? 0 : 1;
}
