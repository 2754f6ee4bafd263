import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { PROBLEMS } from "#contracts/problems.ts";
import { problemPage } from "./problem-page.ts";

const ORIGIN = "https://posthorn.example";
const open = (path: string) => {
  const { status, headers, body } = problemPage(path, ORIGIN);
  return { status, headers, html: body ?? "" };
};

describe("a problem page", () => {
  it.each(Object.entries(PROBLEMS))("%s: says what it is, what to do and who gives it", (slug, problem) => {
    const { status, html } = open(`/problems/${slug}`);
    expect([status, html]).toEqual([200, expect.stringContaining(`<h1>${problem.title}</h1>`)]);
    for (const heading of ["What to do", "An example", "Which calls answer with it"])
      expect(html).toContain(`<h2>${heading}</h2>`);
    expect(html).toContain(`<dd>${problem.status}</dd>`);
    expect(html).toContain(`"type": "${ORIGIN}/problems/${slug}"`);
    expect(html).toMatch(/Every (one|path)\.|<li><a [^>]+><code>(GET|POST|PUT|PATCH|DELETE) \//);
    expect(html.replace(/<pre>[\s\S]*<\/pre>/, "")).not.toMatch(/`|undefined/);
  });

  it("names the calls that give it, and no others", () => {
    const { html } = open("/problems/events-expired");
    expect(html.match(/<li>/g)).toHaveLength(1);
    expect(html).toContain('<li><a href="/docs#tag/events/GET/events"><code>GET /events</code></a>: ');
  });

  it("allows its own style and nothing else", () => {
    const { headers, html } = open("/problems/not-found");
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(headers["content-security-policy"]).toContain(`default-src 'none'; style-src 'sha256-${hash}';`);
    expect(html).not.toMatch(/<script|style="|https?:\/\/(?!posthorn\.example)/);
    expect(style).toContain("color-scheme:light dark");
  });

  it("leads to all others, and is 404 where there is none", () => {
    const { html } = open("/problems/");
    for (const slug of Object.keys(PROBLEMS)) expect(html).toContain(`href="/problems/${slug}"`);
    for (const path of ["/problems/nothing", "/problems/toString", "/problems/not-found/x"])
      expect(open(path).status).toBe(404);
  });
});
