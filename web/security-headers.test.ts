import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWebMetrics } from "#server/metrics/web-metrics.ts";
import { createWebServer, type WebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { calls, fillPath } from "./testing/api-calls.ts";

const HTTPS = "https://posthorn.example";
let api: TestApi;
/** Reached under https, with all that a web process serves. */
let whole: WebServer;
beforeAll(async () => {
  api = await openTestApi({ findStaff: async () => null });
  const { services } = api;
  whole = await createWebServer({
    services,
    publicOrigin: HTTPS,
    metrics: { metrics: createWebMetrics(services), token: "token" },
    staff: () => ({
      find: async () => null,
      handle: (request, response) => {
        if (request.url?.endsWith("/broken")) throw new Error("nobody foresaw this");
        response.end();
      },
    }),
    next: (_request, response) => void response.setHeader("x-page", "yes").end("a page"),
  });
});
afterAll(async () => {
  await whole?.close(1_000);
  await api?.close();
});

/** What an answer lacks that must not be framed, sniffed, or read by pages of another origin. */
function missing(headers: Headers): string[] {
  const policy = headers.get("content-security-policy") ?? "";
  const holds: [string, boolean][] = [
    ["frame-ancestors", policy.includes("frame-ancestors 'none'")],
    ["default-src", policy.startsWith("default-src 'none'")],
    ["base-uri", policy.includes("base-uri 'none'")],
    ["X-Frame-Options", headers.get("x-frame-options") === "DENY"],
    ["nosniff", headers.get("x-content-type-options") === "nosniff"],
    ["Referrer-Policy", /^(no-referrer|same-origin)$/.test(headers.get("referrer-policy") ?? "")],
    ["Cross-Origin-Resource-Policy", headers.get("cross-origin-resource-policy") === "same-origin"],
    ["nothing for other origins", !headers.has("access-control-allow-origin")],
  ];
  return holds.flatMap(([name, isHeld]) => (isHeld ? [] : [name]));
}

/** Answers of every kind: taken, refused, asked about. */
const apiPaths = calls.flatMap(({ operation, pathParameters }) => {
  const path = fillPath(operation.path, Object.fromEntries(pathParameters.map((name) => [name, "x"])));
  return [operation.method, "OPTIONS"].map((method) => [method, `/api/v1${path}`] as const);
});
const beside = [
  ["GET", "/healthz"],
  ["GET", "/readyz"],
  ["GET", "/metrics"],
  ["GET", "/docs"],
  ["GET", "/docs/start.js"],
  ["GET", "/docs/none"],
  ["POST", "/docs"],
  ["GET", "/problems/"],
  ["GET", "/problems/not-found"],
  ["GET", "/problems/none"],
  ["GET", "/api/v1"],
  ["GET", "/api/v1/none"],
  ["GET", "/api/none"],
  ["GET", "/api/auth/get-session"],
  ["GET", "/api/auth/broken"],
] as const;

const ask = (origin: string, method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(origin + path, { method, headers });

describe("what the web process answers beside the console", () => {
  const local = () => `http://127.0.0.1:${whole.port}`;

  it.each(beside)("%s %s cannot be framed, and holds browsers to https", async (method, path) => {
    const { headers } = await ask(local(), method, path);
    expect(missing(headers)).toEqual([]);
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  });

  it("is so for each call of the API, whatever it answers", async () => {
    for (const [method, path] of apiPaths) {
      const { status, headers } = await ask(local(), method, path);
      expect([method, path, status, missing(headers)]).toEqual([method, path, status, []]);
      expect(headers.has("strict-transport-security")).toBe(true);
    }
    const { headers, status } = await ask(api.server.origin, "GET", "/api/v1/orders", {
      authorization: `Bearer ${api.tenant.key}`,
    });
    expect([status, missing(headers)]).toEqual([200, []]);
    // Nobody is held to a TLS that is not there.
    expect(headers.has("strict-transport-security")).toBe(false);
  });

  it("is so where a request cannot be read", async () => {
    const tooMany = Object.fromEntries(Array.from({ length: 120 }, (_none, n) => [`x-h-${n}`, "1"]));
    expect(missing((await ask(local(), "GET", "/", tooMany)).headers)).toEqual([]);
    const socket = connect(whole.port, "127.0.0.1");
    socket.end("nonsense\r\n\r\n");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    await once(socket, "close");
    const lines = text.split("\r\n\r\n")[0]?.split("\r\n").slice(1) ?? [];
    expect(missing(new Headers(lines.map((line) => line.split(": ") as [string, string])))).toEqual([]);
  });

  it("leaves its pages to the console, but for https", async () => {
    const { headers } = await ask(local(), "GET", "/deliveries");
    expect(headers.get("x-page")).toBe("yes");
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(headers.has("content-security-policy")).toBe(false);
    expect(headers.has("x-frame-options")).toBe(false);
  });
});
