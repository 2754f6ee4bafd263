import { createHash, timingSafeEqual } from "node:crypto";
import type { Metrics } from "../metrics/metrics.ts";
import type { ApiResponse } from "./message.ts";

export interface MetricsPage<M extends Pick<Metrics, "render" | "contentType"> = Metrics> {
  metrics: M;
  /** The bearer token that a scraper must send. */
  token: string;
}

const BEARER = /^bearer +(\S+) *$/i;
const TEXT = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };

/** `/metrics`: the figures of this process in Prometheus' text format, for whoever sends the token (RFC 6750). */
export async function metricsPage(
  { metrics, token }: MetricsPage,
  request: { method?: string | undefined; headers: { authorization?: string | undefined } },
): Promise<ApiResponse> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return { status: 405, headers: { ...TEXT, allow: "GET, HEAD" }, body: "Method not allowed\n" };
  const given = BEARER.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (!isSame(given, token))
    return { status: 401, headers: { ...TEXT, "www-authenticate": "Bearer" }, body: "Unauthorized\n" };
  return {
    status: 200,
    headers: { ...TEXT, "content-type": metrics.contentType },
    body: await metrics.render(),
  };
}

/** Compares in a time that tells neither where two texts differ nor how long the secret one is. */
function isSame(given: string, secret: string): boolean {
  const [a, b] = [given, secret].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
