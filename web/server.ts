import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Operation } from "#contracts/operation.ts";
import type { Services } from "#server/context.ts";
import { API_PREFIX, createApi } from "#server/http/api.ts";
import type { FindStaff } from "#server/http/authenticate.ts";
import { answerClientErrors } from "#server/http/client-errors.ts";
import { health, readiness } from "#server/http/health.ts";
import { LiveStreams } from "#server/http/live.ts";
import type { ApiResponse } from "#server/http/message.ts";
import { type MetricsPage, metricsPage } from "#server/http/metrics.ts";
import { fromNode, writeNode } from "#server/http/node-adapter.ts";
import { blankProblem, problemResponse, toAppError } from "#server/http/problem.ts";
import { problemPage } from "#server/http/problem-page.ts";
import { routes } from "#server/http/routes.ts";
import { securityHeaders, transportSecurity } from "#server/http/security-headers.ts";
import type { ChangeFeed } from "#server/live/change-feed.ts";
import { databaseFigures } from "#server/metrics/database-figures.ts";
import type { WebMetrics } from "#server/metrics/web-metrics.ts";
import { docsPage } from "./docs-page.ts";
import { setFraming } from "./framing.ts";

/** Answers a request on node:http. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface StaffAccess {
  /** Who a session cookie stands for. */
  find: FindStaff;
  /** Serves `/api/auth/*`. */
  handle: NodeHandler;
}

export interface WebServerOptions {
  services: Services;
  host?: string;
  /** 0 takes a free one. */
  port?: number;
  /** Under which clients reach the server. Default: where it listens. */
  publicOrigin?: string | undefined;
  /** Sign-in of staff, once the origin is known; without it only API keys are taken. */
  staff?: (origin: string) => StaffAccess;
  /** Counts requests and serves `/metrics`. */
  metrics?: MetricsPage<WebMetrics>;
  /** Whose deliveries have changed, for `/live`. */
  changes?: ChangeFeed;
  /** Serves what is left: the console. */
  next?: NodeHandler;
  /** How long a request's body may take to arrive; default 10,000. */
  bodyTimeoutMs?: number;
  /** How long the head of a request may take to arrive; default 10,000. */
  headTimeoutMs?: number;
  /** Is shown each successful answer of the API. */
  onAnswer?: (operation: Operation, answer: ApiResponse) => void;
}

export interface WebServer {
  origin: string;
  port: number;
  /** Takes no more connections, lets requests finish for at most `graceMs`, then cuts what is left. */
  close(graceMs?: number): Promise<void>;
}

/** Node's own limits on what a client may hold open. Bodies of the API have a shorter one. */
const limitsOf = (headTimeoutMs: number) => ({
  headersTimeout: headTimeoutMs,
  requestTimeout: 30_000,
  connectionsCheckingInterval: headTimeoutMs / 2,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
});
const MAX_HEADERS = 100;

/** Listens, and serves the API on node:http itself, ahead of Next: that is many times cheaper. */
export async function createWebServer(options: WebServerOptions): Promise<WebServer> {
  const { host = "127.0.0.1", port = 0, headTimeoutMs = 10_000 } = options;
  const stopping = new AbortController();
  const server = createServer(limitsOf(headTimeoutMs));
  // Node's own limit would leave out the headers beyond it without a word, If-Match among them.
  server.maxHeadersCount = 0;
  answerClientErrors(server);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const origin = options.publicOrigin ?? originOf(address);

  const handle = dispatcher(options, origin, stopping.signal);
  const safely = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      options.services.log.error({ err: error }, "a request failed outside of the API");
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { "content-length": "0" }).end();
    });
  };
  server.on("request", safely);
  server.on("checkContinue", safely);
  // An expectation that nobody knows is of no account (RFC 9110 §10.1.1): Node's own 417 would be no problem document.
  server.on("checkExpectation", safely);
  return {
    origin,
    port: address.port,
    close(graceMs = 5_000) {
      stopping.abort();
      return closeServer(server, graceMs);
    },
  };
}

function dispatcher(options: WebServerOptions, origin: string, stopping: AbortSignal) {
  const { services, next, metrics, onAnswer, changes, bodyTimeoutMs = 10_000 } = options;
  const figures = metrics?.metrics.figures ?? databaseFigures(services.db);
  const staff = options.staff?.(origin);
  const guard = new Map(Object.entries(securityHeaders(origin)));
  const pageGuard = new Map(Object.entries(transportSecurity(origin)));
  const live = changes && new LiveStreams({ services, findStaff: staff?.find, feed: changes });
  const handleApi = createApi({
    services,
    routes,
    origin,
    bodyTimeoutMs,
    ...(staff ? { findStaff: staff.find } : {}),
    ...(onAnswer ? { onAnswer } : {}),
    ...(metrics ? { onEnd: metrics.metrics.observe } : {}),
  });

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const write = (answer: ApiResponse) => writeNode(request, response, answer);
    if (request.rawHeaders.length / 2 > MAX_HEADERS) {
      response.setHeaders(guard);
      return write(tooManyHeaders());
    }
    request.url = originForm(request.url ?? "/");
    const path = request.url.split("?", 1)[0] ?? "/";
    if (path === API_PREFIX || path.startsWith(`${API_PREFIX}/`))
      return write(await handleApi(fromNode(request, response, stopping)));
    // What lies beside the API answers under an id too.
    const requestId = randomUUID();
    response.setHeaders(guard).setHeader("x-request-id", requestId);
    if (path === "/healthz") return write(health());
    if (path === "/readyz") return write(await readiness({ ...services, figures }));
    if (metrics && path === "/metrics") return write(await metricsPage(metrics, request));
    if (live && path === "/live")
      return live.answer(request, response, stopping).catch((error: unknown) => {
        const known = toAppError(error);
        if (!known || response.headersSent) throw error;
        return write(problemResponse(known, { origin, requestId }));
      });
    if (path === "/docs" || path.startsWith("/docs/")) return docsPage(request, response);
    if (path === "/problems" || path.startsWith("/problems/")) return write(problemPage(path, origin));
    if (request.headers.expect !== undefined) response.writeContinue();
    if (staff && path.startsWith("/api/auth/")) return staff.handle(request, response);
    if (next && !path.startsWith("/api/")) {
      // The console says for itself what its pages may do.
      for (const name of guard.keys()) response.removeHeader(name);
      await setFraming(services, request, response, path);
      return next(request, response.setHeaders(pageGuard));
    }
    return write({ status: 404, headers: { "content-type": "text/plain" }, body: "Not found\n" });
  };
}

/** The rest of the request is not looked at, so that its connection cannot go on. */
function tooManyHeaders(): ApiResponse {
  const answer = blankProblem(431, randomUUID());
  return { ...answer, headers: { ...answer.headers, connection: "close" } };
}

/** A target of the absolute form, which a server must take too (RFC 9112 §3.2.2), as path and query. */
function originForm(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
}

/** Where a server is reached that listens on this address; any address is reached by loopback. */
function originOf({ address, family, port }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${port}`;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A kept-alive connection whose last request has just ended is idle from then on.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
