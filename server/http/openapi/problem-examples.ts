import { PROBLEMS, type Problem, type ProblemSlug } from "#contracts/problems.ts";

const REQUEST_ID = "01991f6e-4c2a-4cc3-9d0e-2f7a6b1c5d84";

/** What each problem says beyond its type, in words as the API has them. */
const OCCURRENCES: Record<ProblemSlug, { detail: string } & Partial<Problem>> = {
  "malformed-json": { detail: "The body ended before it was complete." },
  "invalid-parameter": { detail: "limit: must be an integer of at least 1." },
  "invalid-cursor": {
    detail: "This cursor cannot be used: it is not one of this query, or it has expired.",
  },
  "idempotency-key-missing": { detail: "This call needs an Idempotency-Key header." },
  unauthenticated: { detail: "A valid API key or a console session is needed." },
  forbidden: { detail: "This needs the scope orders:write." },
  "reauthentication-required": { detail: "Give your password again; then this can be repeated." },
  "not-found": { detail: "There is no such resource." },
  "method-not-allowed": { detail: "This resource does not take DELETE." },
  "state-conflict": {
    detail: "An order that is paid cannot be paid.",
    state: "paid",
    links: [{ rel: "self", href: "/api/v1/orders/1001", method: "GET" }],
  },
  "idempotency-in-progress": { detail: "The first request with this Idempotency-Key is still in flight." },
  "events-expired": {
    detail: "Events after this position have passed their retention.",
    oldest_cursor: "WyJrMSIsImYiXQ.l4Tt1mYp9m8dKQ0Jx5c7bq6eGzq3v2hXb0nR4sUuWfE",
  },
  "precondition-failed": { detail: "The resource has changed since that version.", current_version: 2 },
  "payload-too-large": { detail: "The body is larger than 262144 bytes." },
  "unsupported-media-type": { detail: "The body must be application/json in UTF-8." },
  "validation-error": {
    detail: "The content cannot be processed; see `errors`.",
    errors: [{ detail: "must be three capital letters", pointer: "#/Currency" }],
  },
  "idempotency-key-reused": { detail: "This Idempotency-Key came with another request." },
  "endpoint-url-rejected": {
    detail: "There is a defect in url.",
    errors: [{ detail: "must be https", pointer: "#/url" }],
  },
  "precondition-required": {
    detail: 'Send If-Match with the quoted version, such as If-Match: "7"; the ETag of a read is that.',
  },
  "rate-limited": { detail: "Too many requests with this key." },
  unavailable: { detail: "The database cannot be reached just now." },
  timeout: { detail: "The work took longer than it may." },
};

/** One occurrence of a problem, as the deployment at `origin` tells of it. */
export function problemExample(slug: ProblemSlug, origin: string): Problem {
  const { status, title } = PROBLEMS[slug];
  const { detail, ...members } = OCCURRENCES[slug];
  return {
    type: `${origin}/problems/${slug}`,
    title,
    status,
    detail,
    instance: `urn:uuid:${REQUEST_ID}`,
    ...members,
  };
}

/** What is said of a failure that nobody foresaw. */
export const INTERNAL_ERROR: Problem = {
  type: "about:blank",
  title: "Internal Server Error",
  status: 500,
  instance: `urn:uuid:${REQUEST_ID}`,
};
