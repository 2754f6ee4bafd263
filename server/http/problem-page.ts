import { createHash } from "node:crypto";
import { operations } from "#contracts/index.ts";
import type { Operation } from "#contracts/operation.ts";
import { PROBLEMS, type ProblemSlug } from "#contracts/problems.ts";
import type { ApiResponse } from "./message.ts";
import { problemExample } from "./openapi/problem-examples.ts";
import { problemsOf } from "./openapi/problems-of.ts";

const STYLE = `:root{color-scheme:light dark}
body{background:light-dark(#fff,#121212);color:light-dark(#1a1a1a,#f0f0f0);font:1rem/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}
h1{line-height:1.2}h2{font-size:1.1rem;margin-top:2rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dd{margin:0}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{padding:1rem;overflow-x:auto;border:1px solid;border-color:color-mix(in srgb,currentColor 25%,transparent);border-radius:.5rem}
li{margin:.25rem 0}a{color:light-dark(#0b57d0,#a8c7fa)}`;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "public, max-age=3600",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
};

const isSlug = (text: string): text is ProblemSlug => Object.hasOwn(PROBLEMS, text);

/** `/problems/<slug>`: what a problem type means to people (RFC 9457 §3.1.1); without a slug, all of them. */
export function problemPage(path: string, origin: string): ApiResponse {
  const slug = path.split("/")[2] ?? "";
  if (slug === "") return page(200, "Problem types", overview());
  if (!isSlug(slug) || path.split("/").length > 3)
    return page(404, "There is no such problem type", `<p>${BACK}</p>`);
  const { status, title, meaning, help } = PROBLEMS[slug];
  return page(
    200,
    title,
    `<p>${withCode(meaning)}</p>
<dl><dt>Status</dt><dd>${status}</dd><dt>Type</dt><dd><code>${escapeHtml(`${origin}/problems/${slug}`)}</code></dd></dl>
<h2>What to do</h2><p>${withCode(help)}</p>
<h2>An example</h2><pre><code>${escapeHtml(JSON.stringify(problemExample(slug, origin), null, 2))}</code></pre>
<h2>Which calls answer with it</h2>${calls(slug)}
<p>${BACK} · <a href="/docs">API reference</a></p>`,
  );
}

const BACK = `<a href="/problems/">All problem types</a>`;

function overview(): string {
  const items = Object.entries(PROBLEMS).map(
    ([slug, { status, meaning }]) =>
      `<li>${status} <a href="/problems/${slug}"><code>${slug}</code></a>: ${withCode(meaning)}</li>`,
  );
  return `<p>Every refusal of the API is one of these (RFC 9457).</p><ul>${items.join("")}</ul>
<p><a href="/docs">API reference</a></p>`;
}

/** The operations that can answer with the problem. */
function calls(slug: ProblemSlug): string {
  // 405 is the answer of a path to a method that is none of its operations.
  if (slug === "method-not-allowed") return "<p>Every path.</p>";
  const giving = operations.filter((operation) => problemsOf(operation).includes(slug));
  if (giving.length === operations.length) return "<p>Every one.</p>";
  const items = giving.map((operation) => `<li>${linkTo(operation)}: ${escapeHtml(operation.summary)}</li>`);
  return `<ul>${items.join("")}</ul>`;
}

/** A link to an operation at the place that the API reference gives it. */
function linkTo({ tag, method, path }: Operation): string {
  const section = tag.toLowerCase().replaceAll(" ", "-");
  return `<a href="/docs#tag/${section}/${method}${path}"><code>${method} ${escapeHtml(path)}</code></a>`;
}

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Text with `code` in backticks, as HTML. */
const withCode = (text: string) => escapeHtml(text).replace(/`([^`]*)`/g, "<code>$1</code>");

function page(status: number, title: string, content: string): ApiResponse {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Posthorn</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>
`;
  return { status, headers: { ...HEADERS }, body };
}
