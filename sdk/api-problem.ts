import { PROBLEMS, type Problem, type ProblemSlug } from "#contracts/problems.ts";

/** What went wrong with a call, in the words of the server where it had any. */
export class ApiProblem extends Error {
  override name = "ApiProblem";
  /** Of the answer; 0 when none came. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** The problem type's last part, such as `state-conflict`; `null` when the answer was no problem of the API. */
  readonly slug: ProblemSlug | null;
  /** The problem as it came, with the members of its type (RFC 9457): `errors`, `current_version`, `state`, `links`… */
  readonly problem: Problem | null;
  /** The `code` of an answer that was no problem of the API but said what it is, as those of sign-in do. */
  readonly code: string | null;
  /** For support to find the call by; `null` when the server gave none. */
  readonly requestId: string | null;
  /** What the server asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(fields: Omit<ApiProblem, keyof Error>, options?: ErrorOptions) {
    super(`${fields.title}: ${fields.detail}`, options);
    this.status = fields.status;
    this.title = fields.title;
    this.detail = fields.detail;
    this.slug = fields.slug;
    this.problem = fields.problem;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** Whether the same call may well succeed in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/**
 * Reads an answer that is not a success: a problem (RFC 9457), a `{code, message}` as sign-in has them, or neither.
 * `nowMs` is what a date in Retry-After is compared with.
 */
export function problemOf(
  { status, headers }: Pick<Response, "status" | "headers">,
  body: unknown,
  nowMs: number,
): ApiProblem {
  const members = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const slug = text(members.type)?.split("/").at(-1);
  const isProblem = headers.get("content-type")?.startsWith("application/problem+json") === true;
  return new ApiProblem({
    status,
    title: text(members.title) ?? `The server answered with status ${status}`,
    detail: text(members.detail) ?? text(members.message) ?? "It gave no further explanation.",
    slug: isProblem && isSlug(slug) ? slug : null,
    problem: isProblem ? (body as Problem) : null,
    code: isProblem ? null : (text(members.code) ?? null),
    requestId: headers.get("x-request-id"),
    retryAfterMs: waitOf(headers.get("retry-after") ?? headers.get("x-retry-after"), nowMs),
  });
}

/** No answer came, or none that can be read. */
export function unreachable(detail: string, cause?: unknown): ApiProblem {
  const title = "The server cannot be reached";
  const none = { slug: null, problem: null, code: null, requestId: null, retryAfterMs: null };
  return new ApiProblem({ status: 0, title, detail, ...none }, { cause });
}

const isSlug = (slug: string | undefined): slug is ProblemSlug =>
  slug !== undefined && Object.hasOwn(PROBLEMS, slug);

/** Milliseconds that Retry-After asks for: seconds, or an HTTP-date (RFC 9110 §10.2.3). */
function waitOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
