import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

/** What `npm start`, `npm run build` and a demo make: the docs may name it, a clone has none of it. */
const generated =
  /^(?:\.posthorn|\.next|node_modules|coverage|test-results|playwright-report)(?:\/|$)|^demo\.json$/;
const fileName = /^[\w.-]+\.(?:tsx?|m?js|jsonc?|md|css|sql|ya?ml|sh)$/;

/**
 * Gives one line for each thing the docs of the project in `folder` name that is not there: a backticked path, the
 * target of a relative link (its heading too), a script of package.json.
 */
export function checkDocs(folder: string = root): string[] {
  const files = globSync(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/**/*.md"], {
    cwd: folder,
  }).sort();
  const manifest: { scripts?: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const problems = [
      ...missingPaths(folder, file, text),
      ...brokenLinks(folder, file, text),
      ...missingScripts(text, Object.keys(manifest.scripts ?? {})),
    ];
    return problems.map((problem) => `${file}: ${problem}`);
  });
}

function missingPaths(folder: string, file: string, text: string): string[] {
  const named = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name.trim());
  return [...new Set(named)]
    .filter((name) => isRepositoryPath(folder, name) && !generated.test(name) && !exists(folder, file, name))
    .map((name) => `\`${name}\` does not exist`);
}

/** A path here starts with a folder of the project, or is the bare name of a source file. URLs and API paths do not. */
function isRepositoryPath(folder: string, name: string): boolean {
  if (/[\s<>{}$|=:,;"'?…]/.test(name)) return false;
  if (fileName.test(name)) return true;
  const [first = "", ...rest] = name.replace(/^\.\//, "").replace(/^#/, "").split("/");
  if (first === "" || first === ".." || rest.length === 0) return false;
  return existsSync(join(folder, first)) || fileName.test(rest.at(-1) ?? "");
}

function exists(folder: string, file: string, name: string): boolean {
  const path = name.replace(/^\.\//, "").replace(/^#/, "").replace(/\/$/, "");
  const candidates = [join(folder, path), join(folder, dirname(file), path)];
  if (candidates.some((candidate) => existsSync(candidate))) return true;
  // `*` stands for any name, Next's [id] and (console) for themselves; a bare file name may lie anywhere.
  const pattern = path.replace(/[[\]()]/g, "\\$&");
  const patterns = path.includes("/") ? [pattern] : [`*/**/${pattern}`];
  return (
    globSync(patterns, { cwd: folder, exclude: (entry) => entry === "node_modules" || entry === ".next" })
      .length > 0
  );
}

function brokenLinks(folder: string, file: string, text: string): string[] {
  const targets = [
    ...withoutFences(text).matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|\bsrc="([^"]+)"/g),
  ].map(([, link, source]) => link ?? source ?? "");
  return [...new Set(targets)]
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target) && !target.startsWith("//"))
    .filter((target) => !resolves(folder, file, target))
    .map((target) => `the link ${target} leads nowhere`);
}

function resolves(folder: string, file: string, target: string): boolean {
  const [path = "", heading] = target.split("#").map(decodeURIComponent);
  const absolute =
    path === "" ? join(folder, file) : join(folder, path.startsWith("/") ? "" : dirname(file), path);
  if (!existsSync(absolute)) return false;
  return (
    heading === undefined ||
    !absolute.endsWith(".md") ||
    headings(readFileSync(absolute, "utf8")).includes(heading)
  );
}

/** The anchors GitHub gives to the headings of a page. */
function headings(text: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutFences(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, title = ""]) => {
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

function missingScripts(text: string, scripts: string[]): string[] {
  const named = [...text.matchAll(/\bnpm (?:run )?(?<name>[\w:-]+)/g)].filter(
    ([whole, name = ""]) => whole.startsWith("npm run ") || name === "start" || name === "test",
  );
  return [...new Set(named.map(([, name = ""]) => name))]
    .filter((name) => !scripts.includes(name))
    .map((name) => `package.json has no script "${name}"`);
}

function withoutFences(text: string): string {
  return text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, "");
}
