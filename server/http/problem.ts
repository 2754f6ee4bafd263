import { STATUS_CODES } from "node:http";
import { PROBLEMS, type Problem, type ProblemSlug } from "#contracts/problems.ts";
import { isConnectionError, sqlState } from "#db/database-errors.ts";
import { AppError } from "../errors.ts";
import type { ApiResponse } from "./message.ts";

/** A refusal by the HTTP layer itself, which may say more in headers. */
export class HttpProblem extends AppError {
  readonly headers: Record<string, string>;

  constructor(slug: ProblemSlug, detail: string, headers: Record<string, string> = {}) {
    super(slug, detail);
    this.headers = headers;
  }
}

const HEADERS = { "content-type": "application/problem+json", "cache-control": "no-store" };

const HEADERS_OF: Partial<Record<ProblemSlug, Record<string, string>>> = {
  unauthenticated: { "www-authenticate": "Bearer" },
  "idempotency-in-progress": { "retry-after": "1" },
  unavailable: { "retry-after": "2" },
  timeout: { "retry-after": "2" },
};

/** The occurrence that a problem tells of. */
export interface Occurrence {
  origin: string;
  requestId: string;
}

/** What was thrown as what may be told; `undefined` when nobody foresaw it. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (isConnectionError(error))
    return new AppError("unavailable", "The database cannot be reached just now.");
  const state = sqlState(error);
  if (state === "57014") return new AppError("timeout", "The work took longer than it may.");
  // Class 53: out of disk, memory or connections.
  if (state?.startsWith("53"))
    return new AppError("unavailable", "The database is short of resources just now.");
  return undefined;
}

/** The members of a problem (RFC 9457 §3). */
export function problemOf(error: AppError, { origin, requestId }: Occurrence): Problem {
  const { status, title } = PROBLEMS[error.slug];
  return {
    type: `${origin}/problems/${error.slug}`,
    title,
    status,
    detail: error.message,
    instance: `urn:uuid:${requestId}`,
    ...(error.issues.length > 0 ? { errors: [...error.issues] } : {}),
    ...error.members,
  };
}

/** The answer to a refusal. */
export function problemResponse(error: AppError, occurrence: Occurrence): ApiResponse {
  return {
    status: PROBLEMS[error.slug].status,
    headers: {
      ...HEADERS,
      ...HEADERS_OF[error.slug],
      ...(error instanceof HttpProblem ? error.headers : {}),
    },
    body: JSON.stringify(problemOf(error, occurrence)),
  };
}

/** The answer to what nobody foresaw. */
export const internalErrorResponse = (requestId: string): ApiResponse => blankProblem(500, requestId);

/** A problem that says no more than its status (RFC 9457 §4.2.1). */
export function blankProblem(status: number, requestId: string): ApiResponse {
  const body = {
    type: "about:blank",
    title: STATUS_CODES[status],
    status,
    instance: `urn:uuid:${requestId}`,
  };
  return { status, headers: { ...HEADERS, "x-request-id": requestId }, body: JSON.stringify(body) };
}
