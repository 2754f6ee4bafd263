import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveRetentionState } from "#db/queries/retention-state.ts";
import { lintExposition, parseExposition, type Sample } from "#server/metrics/testing-exposition.ts";
import { createWebMetrics } from "#server/metrics/web-metrics.ts";
import { DELIVERY_QUEUE_NAMES } from "#server/queue/queues.ts";
import { EngineTally } from "#workers/metrics/engine-tally.ts";
import { observeWorker } from "#workers/metrics/observe-worker.ts";
import { createWebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { refId: string; expr: string }[];
}

const read = (name: string) => readFileSync(new URL(`../docs/grafana/${name}`, import.meta.url), "utf8");
const dashboard = JSON.parse(read("posthorn.json")) as {
  panels: Panel[];
  schemaVersion: number;
  uid: string;
};
const rules = read("alerts.yaml");
const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)\n {8}expr: (.+)$/gm)].map(
  ([, name = "", expr = ""]) => ({
    name,
    expr,
  }),
);

const IN_HAND = {
  holdsLease: true,
  jobs: 0,
  deliveries: DELIVERY_QUEUE_NAMES.map((queue) => ({ queue, count: 0 })),
  requests: { all: 0, hanging: 0 },
  lanes: [],
  unwritten: 0,
};

let api: TestApi;
let samples: Sample[];
beforeAll(async () => {
  api = await openTestApi();
  const { services } = api;
  const web = createWebMetrics(services);
  const server = await createWebServer({ services, metrics: { metrics: web, token: "unused" } });
  const call = (path: string, body?: object) =>
    fetch(`${server.origin}/api/v1${path}`, {
      headers: { authorization: `Bearer ${api.tenant.key}`, "content-type": "application/json" },
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
  const event = { type: "a", data: {} };
  await Promise.all([call("/events", event), call("/events/batch", { events: [event] }), call("/events")]);
  const run = { result: "done", reason: null, partitions: 0, rows: 0, accepted: null } as const;
  await saveRetentionState(services.db, run);
  const worker = observeWorker(services, new EngineTally(), () => IN_HAND);
  const scrapes = [parseExposition(await web.render()), parseExposition(await worker.render())];
  for (const scrape of scrapes) expect(lintExposition(scrape)).toEqual([]);
  samples = scrapes.flatMap((scrape) => scrape.samples);
  await server.close(500);
});
afterAll(() => api.close());

const METRIC = /\b((?:posthorn|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)(=~|!=|!~|=)"([^"]*)"/g;
/** Labels that Prometheus gives each target. */
const OF_TARGET = new Set(["job", "instance"]);

/** What a query asks for that no process tells. */
function unknownTo(expr: string): string[] {
  const names = [...expr.matchAll(METRIC)];
  if (names.length === 0 && !expr.startsWith("up{")) return [`no metric in ${expr}`];
  return names.flatMap(([whole, name, matchers = ""]) => {
    const mine = samples.filter((sample) => sample.name === name);
    if (mine.length === 0) return [`${name} is not told`];
    return [...matchers.matchAll(MATCHER)].flatMap(([, label = "", operator, value = ""]) => {
      if (OF_TARGET.has(label)) return [];
      const wanted = operator === "=" && label !== "status" && label !== "error_code" ? `"${value}"` : '"';
      return mine.some(({ labels }) => labels.includes(`${label}=${wanted}`))
        ? []
        : [`${whole}: no ${label}`];
    });
  });
}

describe("the dashboard", () => {
  it("asks for nothing but what is told", () => {
    const exprs = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(exprs.length).toBeGreaterThan(30);
    for (const expr of exprs) expect(unknownTo(expr), expr).toEqual([]);
  });

  it("has a row for each concern, panels of their own ids and places, and queries in each", () => {
    const { panels } = dashboard;
    expect(panels.filter(({ type }) => type === "row").map(({ title }) => title)).toEqual([
      "Now",
      "Publishing",
      "Delivering",
      "Health",
      "Database",
      "Processes",
    ]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { title, type, gridPos, targets = [] } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`), title).toBe(false);
          taken.add(`${x} ${y}`);
        }
      if (type !== "row") expect(targets.length, title).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    }
  });
});

describe("the alert rules", () => {
  it("ask for nothing but what is told", () => {
    expect(alerts.length).toBe(rules.match(/- alert:/g)?.length);
    for (const { name, expr } of alerts) expect(unknownTo(expr), name).toEqual([]);
  });

  it("cover what must not go unnoticed, and say what to do", () => {
    expect(alerts.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "PosthornDeliveriesStalled",
        "PosthornNoWorker",
        "PosthornFailureRate",
        "PosthornResultsUnwritten",
        "PosthornApiErrors",
        "PosthornFeedErrors",
        "PosthornLeaseLost",
        "PosthornRetentionRefused",
        "PosthornRetentionIdle",
      ]),
    );
    for (const part of [/severity: (page|ticket)/g, /^ {10}summary: \S/gm, /^ {10}action: \S/gm])
      expect(rules.match(part)).toHaveLength(alerts.length);
  });
});

describe("the page on operations", () => {
  const page = readFileSync(new URL("../docs/operations.md", import.meta.url), "utf8");
  const FAMILY = /_(bucket|sum|count)$/;

  it("tells every metric of ours with its labels, and none that there is not", () => {
    const told = new Map<string, Set<string>>();
    for (const { name, labels } of samples) {
      if (!name.startsWith("posthorn_")) continue;
      const family = FAMILY.test(name) && !told.has(name) ? name.replace(FAMILY, "") : name;
      const known = told.get(family) ?? new Set();
      for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) if (label !== "le") known.add(label);
      told.set(family, known);
    }
    const documented = [...page.matchAll(/^\| (`posthorn_[^|]*) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(posthorn_\w+)(?:\{([\w,]+)\})?`/g)].map(
        ([, name = "", labels = ""]) => `${name}{${labels.split(",").sort().join()}}`,
      ),
    );
    const there = [...told].map(([name, labels]) => `${name}{${[...labels].sort().join()}}`);
    expect(documented.sort()).toEqual(there.sort());
  });
});

it("finds out a query for what nobody tells", () => {
  expect(unknownTo("sum(rate(posthorn_nothing_total[5m]))")).toEqual(["posthorn_nothing_total is not told"]);
  expect(unknownTo('posthorn_claims_held{queue="x"}')).toEqual(['posthorn_claims_held{queue="x"}: no queue']);
});
