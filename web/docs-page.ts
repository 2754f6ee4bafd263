import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { API_PREFIX } from "#server/http/api.ts";
import { isUnchanged } from "#server/http/precondition.ts";

const SCALAR = "api-reference-1.72.1.js";
const FOREVER = "public, max-age=31536000, immutable";
const ASK_AGAIN = "public, no-cache";

// What is drawn by itself sets style attributes, which no nonce can allow. Scripts are our own files and nothing else.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Commands are read in a narrow column: they break rather than hide, in colours that can be told from the ground. */
const STYLE = `.markdown pre code.hljs{white-space:pre-wrap;overflow-wrap:anywhere;overflow:visible;color:var(--scalar-color-1)}
.markdown pre code.hljs .hljs-subst{color:var(--scalar-color-1)}
.light-mode .markdown pre code.hljs .hljs-comment{color:#595959}
.dark-mode .markdown pre code.hljs .hljs-comment{color:#a3a3a3}
.light-mode .markdown pre code.hljs .hljs-string{color:#0a5e94}
.light-mode .markdown pre code.hljs .hljs-built_in{color:#0a5e94}`;

/** Options of `createApiReference`: nothing that would ask another origin, no advertisement. */
const OPTIONS = {
  url: `${API_PREFIX}/openapi.json`,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  documentDownloadType: "direct",
  orderSchemaPropertiesBy: "preserve",
  authentication: { preferredSecurityScheme: "apiKey" },
  customCss: STYLE,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
};

const START = `Scalar.createApiReference("#reference", ${JSON.stringify(OPTIONS)});\n`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Posthorn API</title><link rel="icon" href="/icon.svg"></head>
<body><main id="reference"></main>
<noscript><p>This page needs JavaScript. The same as an OpenAPI document: <a href="${OPTIONS.url}">${OPTIONS.url}</a>.</p></noscript>
<script src="/docs/${SCALAR}"></script><script src="/docs/start.js"></script></body></html>
`;

/** A file of the page. Where both ways of sending it exist, the client's Accept-Encoding chooses. */
interface Asset {
  type: string;
  /** Changes with the content. */
  tag: string;
  cacheControl: string;
  plain(): Promise<Buffer>;
  gzipped?: () => Promise<Buffer>;
}

const text = (type: string, content: string): Asset => ({
  type,
  tag: createHash("sha256").update(content).digest("base64url"),
  cacheControl: ASK_AGAIN,
  plain: async () => Buffer.from(content),
});

const ASSETS: Record<string, Asset> = {
  "/docs": text("text/html; charset=utf-8", PAGE),
  "/docs/start.js": text("text/javascript; charset=utf-8", START),
  [`/docs/${SCALAR}`]: vendored(new URL(`./vendor/scalar/${SCALAR}.gz`, import.meta.url)),
};

/** A file that is kept compressed, which is how nearly all clients want it. */
function vendored(file: URL): Asset {
  let read: Promise<Buffer> | undefined;
  const gzipped = () => {
    read ??= readFile(file);
    return read;
  };
  return {
    type: "text/javascript; charset=utf-8",
    tag: SCALAR,
    cacheControl: FOREVER,
    gzipped,
    plain: async () => promisify(gunzip)(await gzipped()),
  };
}

/** `/docs` and what lies below it: the API reference, made of our own files alone. */
export async function docsPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", headers, url = "" } = request;
  const path = (url.split("?", 1)[0] ?? "").replace(/\/$/, "");
  const asset = Object.hasOwn(ASSETS, path) ? ASSETS[path] : undefined;
  if (!asset) return end(response, 404, { "content-type": "text/plain" }, "Not found\n");
  if (method !== "GET" && method !== "HEAD") return end(response, 405, { allow: "GET, HEAD" });

  const isGzip = asset.gzipped !== undefined && takesGzip(headers["accept-encoding"]);
  const etag = `"${asset.tag}${isGzip ? ".gz" : ""}"`;
  const told = {
    etag,
    "cache-control": asset.cacheControl,
    ...(asset.gzipped ? { vary: "Accept-Encoding" } : {}),
  };
  if (isUnchanged(headers["if-none-match"], etag)) return end(response, 304, told);
  const bytes = await (isGzip && asset.gzipped ? asset.gzipped() : asset.plain());
  const about = {
    "content-type": asset.type,
    "content-length": String(bytes.length),
    ...(isGzip ? { "content-encoding": "gzip" } : {}),
  };
  return end(response, 200, { ...told, ...about }, method === "HEAD" ? "" : bytes);
}

/** Whether `Accept-Encoding` takes gzip (RFC 9110 §12.5.3). */
function takesGzip(header: string | string[] | undefined): boolean {
  const codings = String(header ?? "").split(",");
  return codings.some((coding) => /^\s*(x-)?gzip\s*(;\s*q=(1(\.0{0,3})?|0\.\d*[1-9]\d*))?\s*$/i.test(coding));
}

function end(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer = "",
): void {
  response.writeHead(status, {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    ...headers,
  });
  response.end(body);
}
