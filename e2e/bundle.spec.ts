import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import * as z from "zod";

// Needs the build alone: what a page loads before it can be used.
const root = join(import.meta.dirname, "..");
const Stats = z.array(z.object({ route: z.string(), firstLoadChunkPaths: z.array(z.string()) }));

/**
 * How much JavaScript each page may load at first, gzipped, in kB: about 5 % more than it does. A page that outgrows its
 * budget is to lose something, or to load it when it is needed.
 */
const BUDGET_KB: Readonly<Record<string, number>> = {
  "/": 321,
  "/_not-found": 216,
  "/api-keys": 344,
  "/audit": 335,
  "/deliveries": 342,
  "/deliveries/[id]": 347,
  "/endpoints": 345,
  "/endpoints/[id]": 357,
  "/endpoints/[id]/edit": 353,
  "/endpoints/[id]/rotate": 357,
  "/endpoints/new": 355,
  "/event-types": 337,
  "/event-types/-new": 338,
  "/event-types/[name]": 343,
  "/events": 336,
  "/events/[id]": 347,
  "/failures": 334,
  "/invitation": 232,
  "/overview": 337,
  "/portal-links": 355,
  "/portal/[token]": 319,
  "/portal/[token]/deliveries": 334,
  "/portal/[token]/deliveries/[id]": 331,
  "/portal/[token]/endpoints": 335,
  "/portal/[token]/endpoints/[id]": 349,
  "/portal/[token]/endpoints/[id]/edit": 348,
  "/portal/[token]/endpoints/[id]/rotate": 341,
  "/portal/[token]/endpoints/new": 351,
  "/portal/[token]/event-types": 317,
  "/portal/[token]/event-types/[name]": 326,
  "/portal/[token]/events": 326,
  "/portal/[token]/events/[id]": 333,
  "/portal/[token]/failures": 317,
  "/portal/[token]/replays": 324,
  "/portal/[token]/replays/[id]": 321,
  "/replays": 335,
  "/replays/[id]": 336,
  "/settings": 349,
  "/sign-in": 261,
  "/staff": 338,
  "/tenants": 332,
};

const read = (path: string) => readFileSync(join(root, path));
const scriptsOf = (paths: readonly string[]) => paths.filter((path) => path.endsWith(".js"));
const sizes = new Map<string, number>();
function gzippedKb(path: string): number {
  const known = sizes.get(path) ?? gzipSync(read(path)).length / 1000;
  sizes.set(path, known);
  return known;
}

function pages() {
  const stats = Stats.parse(JSON.parse(String(read(".next/diagnostics/route-bundle-stats.json"))));
  return stats.map(({ route, firstLoadChunkPaths }) => ({ route, scripts: scriptsOf(firstLoadChunkPaths) }));
}

test("no page loads more than its budget, and each has one", () => {
  const measured = pages().map(({ route, scripts }) => ({
    route,
    kb: Math.round(scripts.reduce((sum, path) => sum + gzippedKb(path), 0)),
  }));
  const unknown = measured.filter(({ route }) => !(route in BUDGET_KB));
  expect(unknown, "say in e2e/bundle.spec.ts what these pages may load").toEqual([]);
  const tooBig = measured.filter(({ route, kb }) => kb > (BUDGET_KB[route] ?? 0));
  expect(tooBig).toEqual([]);
  // A budget that is far too wide would notice nothing.
  const tooWide = measured.filter(({ route, kb }) => kb * 1.12 < (BUDGET_KB[route] ?? 0));
  expect(tooWide, "their budgets can be lowered").toEqual([]);
});

/** Words that stand in the code of what is not needed at first, and nowhere else. */
const LATER = {
  "the chart of lines": "Show as a table",
  "the chart of bars": " in one bar",
  "the bars of days": "By day of creation",
  "the command palette": "Type a command, or paste an id",
  "the dialog for many deliveries": "Dismiss failed deliveries",
};

test("charts, the palette and rare dialogs come when they are wanted, not with the page", () => {
  const first = new Set(pages().flatMap(({ scripts }) => scripts.map((path) => basename(path))));
  const folder = ".next/static/chunks";
  const chunks = readdirSync(join(root, folder)).filter((name) => name.endsWith(".js"));
  for (const [what, words] of Object.entries(LATER)) {
    const holding = chunks.filter((name) => read(join(folder, name)).includes(words));
    expect(holding.length, `${what} is somewhere`).toBeGreaterThan(0);
    expect(
      holding.filter((name) => first.has(name)),
      `${what} comes later`,
    ).toEqual([]);
  }
});
