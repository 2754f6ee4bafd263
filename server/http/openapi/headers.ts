import type { oas31 } from "zod-openapi";

const text = (example: string, more: oas31.SchemaObject = {}): oas31.SchemaObject => ({
  type: "string",
  ...more,
  examples: [example],
});

/** The headers that answers carry. */
export const ANSWER_HEADERS = {
  "X-Request-Id": {
    description: "Names this answer; problems repeat it in `instance`.",
    required: true,
    schema: text("01991f6e-4c2a-4cc3-9d0e-2f7a6b1c5d84", { format: "uuid" }),
  },
  "Cache-Control": {
    description:
      "What has a version may be kept and must be asked for again with If-None-Match; the rest is not kept.",
    required: true,
    schema: text("private, no-cache, no-transform"),
  },
  ETag: {
    description: "The version in quotes, for If-Match and If-None-Match.",
    required: true,
    schema: text('"1"', { pattern: '^"\\d+"$' }),
  },
  Location: {
    description: "The path of what was made.",
    required: true,
    schema: text("/api/v1/orders/1001", { pattern: "^/" }),
  },
  Link: {
    description: "The neighbouring pages, `next` and `prev`; of what is deprecated, its guide (RFC 8288).",
    schema: text('</api/v1/orders?after=WyJrMSIsImYiXQ.l4Tt1mYp>; rel="next"'),
  },
  "Idempotent-Replayed": {
    description: "The answer is that to the first request with this Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750).",
    required: true,
    schema: text("Bearer"),
  },
  "Retry-After": {
    description: "Seconds to wait before the next try.",
    schema: { type: "integer", minimum: 0, examples: [1] },
  },
  "RateLimit-Policy": {
    description:
      "The limit that the call counts against (draft-ietf-httpapi-ratelimit-headers-11): who takes no more than `q` within any `w` seconds is not refused. `requests` counts the calls of a key, with those that it replaces; `events` what a tenant publishes, where a batch counts each of its events. Absent where there is no limit.",
    schema: text('"requests";q=200;w=2', { pattern: '^"(requests|events)";q=\\d+;w=\\d+$' }),
  },
  RateLimit: {
    description: "What is left of that limit, `r`, and the seconds for which that is all, `t`.",
    schema: text('"requests";r=199;t=2', { pattern: '^"(requests|events)";r=\\d+;t=\\d+$' }),
  },
  Allow: {
    description: "The methods that the path takes.",
    required: true,
    schema: text("GET, HEAD, OPTIONS, POST"),
  },
  Deprecation: {
    description: "Since when the call, or a part of it that was used, is deprecated (RFC 9745).",
    schema: text("@1795219200", { pattern: "^@\\d+$" }),
  },
  Sunset: {
    description: "When what is deprecated stops working (RFC 8594).",
    schema: text("Tue, 01 Jun 2027 00:00:00 GMT"),
  },
  "Accept-Patch": {
    description: "The patch format (RFC 5789); a PATCH may also call it `application/json`.",
    required: true,
    schema: text("application/merge-patch+json"),
  },
  "Preference-Applied": {
    description: "The preference that was applied, when the request named one (RFC 7240).",
    schema: { type: "string", enum: ["return=minimal", "return=representation"] },
  },
} as const satisfies Record<string, oas31.HeaderObject>;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** What every answer carries. */
export const EVERY_ANSWER: readonly AnswerHeader[] = ["X-Request-Id", "Cache-Control"];

/** What every answer to a caller carries who has been authenticated. */
export const CALLERS_ANSWER: readonly AnswerHeader[] = [...EVERY_ANSWER, "RateLimit-Policy", "RateLimit"];

/** What answers of a deprecated operation carry, or of one with a deprecated part. */
export const DEPRECATION_HEADERS: readonly AnswerHeader[] = ["Deprecation", "Sunset", "Link"];

/** References to those of the headers that an answer carries. */
export function headerRefs(names: readonly AnswerHeader[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
