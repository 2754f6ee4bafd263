import { PROBLEMS, type ProblemSlug } from "#contracts/problems.ts";
import type { ApiResponse } from "./message.ts";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "public, max-age=3600",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
};

const isSlug = (text: string): text is ProblemSlug => Object.hasOwn(PROBLEMS, text);

/** `/problems/<slug>`: what a problem type means to people (RFC 9457 §3.1.1); without a slug, all of them. */
export function problemPage(path: string): ApiResponse {
  const slug = path.split("/")[2] ?? "";
  if (slug === "") {
    const list = Object.keys(PROBLEMS).map((name) => `<li><a href="/problems/${name}">${name}</a></li>`);
    return page(200, "Problem types", `<ul>${list.join("")}</ul>`);
  }
  if (!isSlug(slug)) return page(404, "There is no such problem type", `<p>${BACK}</p>`);
  const { status, title, help } = PROBLEMS[slug];
  const facts = `<dl><dt>Status</dt><dd>${status}</dd><dt>Type</dt><dd><code>${slug}</code></dd></dl>`;
  return page(200, title, `${facts}<h2>What to do</h2><p>${withCode(help)}</p><p>${BACK}</p>`);
}

const BACK = `<a href="/problems/">All problem types</a>`;

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Text with `code` in backticks, as HTML. */
const withCode = (text: string) => escapeHtml(text).replace(/`([^`]*)`/g, "<code>$1</code>");

function page(status: number, title: string, content: string): ApiResponse {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Posthorn</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dd{margin:0}code{font-size:.95em}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>
`;
  return { status, headers: { ...HEADERS }, body };
}
