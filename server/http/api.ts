import { randomUUID } from "node:crypto";
import type { Method, Operation } from "#contracts/operation.ts";
import { notFound } from "../errors.ts";
import { withDeprecation } from "./deprecation.ts";
import { MERGE_PATCH } from "./media-type.ts";
import type { ApiRequest, ApiResponse } from "./message.ts";
import { isUnchanged } from "./precondition.ts";
import { HttpProblem, internalErrorResponse, problemResponse, toAppError } from "./problem.ts";
import type { ApiDeps, Call, Route } from "./route.ts";
import { createRouter, type Match } from "./router.ts";
import { securityHeaders } from "./security-headers.ts";
import { traceRequest } from "./trace-request.ts";

/** Where the API lives below the origin. */
export const API_PREFIX = "/api/v1";

export type HandleApi = (request: ApiRequest) => Promise<ApiResponse>;

export interface ApiOptions extends ApiDeps {
  routes: readonly Route[];
  /** Shown each operation's successful answer; tests check them against the contract. */
  onAnswer?: (operation: Operation, answer: ApiResponse) => void;
  /** Told of every request once its answer is ready; `operation` is `undefined` where path or method is none of ours. */
  onEnd?: (request: { operation: string | undefined; status: number; durationMs: number }) => void;
}

/** The whole API as one function. It answers everything, and never throws. */
export function createApi(options: ApiOptions): HandleApi {
  const router = createRouter(options.routes);
  const { services, origin } = options;
  const guard = securityHeaders(origin);

  const answerTo = async (request: ApiRequest, onMatch: (operation: Operation) => void) => {
    const requestId = randomUUID();
    const always = { "x-request-id": requestId, ...guard };
    try {
      const answer = await dispatch(options, router, { request, requestId, always, onMatch });
      return finish(request, answer, always);
    } catch (error) {
      const known = toAppError(error);
      if (!known) services.log.error({ err: error, requestId }, "a request failed");
      const answer = known ? problemResponse(known, { origin, requestId }) : internalErrorResponse(requestId);
      return finish(request, answer, always);
    }
  };

  return async (request) => {
    const startedAt = performance.now();
    let operation: Operation | undefined;
    const answer = await answerTo(request, (matched) => {
      operation = matched;
    });
    const { id, deprecation } = operation ?? ({} as Partial<Operation>);
    const durationMs = performance.now() - startedAt;
    options.onEnd?.({ operation: id, status: answer.status, durationMs });
    traceRequest(services.tracer, request, { operation, answer, durationMs, prefix: API_PREFIX });
    return withDeprecation(answer, deprecation ? [deprecation] : []);
  };
}

async function dispatch(
  options: ApiOptions,
  router: (path: string) => Match | undefined,
  {
    onMatch,
    ...received
  }: Pick<Call, "request" | "requestId" | "always"> & { onMatch: (operation: Operation) => void },
): Promise<ApiResponse> {
  const { request } = received;
  const [path = "", query = ""] = splitTarget(request.target);
  const match = path.startsWith(`${API_PREFIX}/`) ? router(path.slice(API_PREFIX.length)) : undefined;
  if (!match) throw notFound();
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (method === "OPTIONS") return { status: 204, headers: optionsOf(match), body: null };
  const chosen = match.methods.get(method as Method);
  if (!chosen)
    throw new HttpProblem("method-not-allowed", `This resource does not take ${method}.`, {
      allow: allowOf(match),
    });
  onMatch(chosen.route.operation);
  const call = { ...received, prefix: API_PREFIX, params: chosen.params, path, query };
  const answer = await chosen.route.answer(options, call);
  options.onAnswer?.(chosen.route.operation, answer);
  return answer;
}

function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf("?");
  return mark < 0 ? [target, ""] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** What the path takes, and of a PATCH in which format (RFC 5789 §3.1). */
function optionsOf(match: Match): Record<string, string> {
  const patch: Record<string, string> = match.methods.has("PATCH") ? { "accept-patch": MERGE_PATCH } : {};
  return { allow: allowOf(match), ...patch, "cache-control": "no-store" };
}

function allowOf({ methods }: Match): string {
  const names = [...methods.keys()];
  return [...names, ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
}

/** What concerns every answer: the headers that each has, and the conditional read (RFC 9110 §13.1.2). */
function finish(request: ApiRequest, answer: ApiResponse, always: Record<string, string>): ApiResponse {
  const headers: Record<string, string> = { ...answer.headers, ...always };
  const { etag } = answer.headers;
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (
    isRead &&
    answer.status === 200 &&
    etag !== undefined &&
    isUnchanged(request.header("if-none-match"), etag)
  ) {
    delete headers["content-type"];
    return { status: 304, headers, body: null };
  }
  return { ...answer, headers };
}
