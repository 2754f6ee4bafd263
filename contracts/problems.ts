import * as z from "zod";
import { Int64, Link } from "./page.ts";

/** Every problem type of the API (RFC 9457): its status, its title, and what a client should do about it. */
export const PROBLEMS = {
  "malformed-json": {
    status: 400,
    title: "Malformed JSON",
    help: "Send one JSON document in UTF-8, at most 32 levels deep.",
  },
  "invalid-parameter": {
    status: 400,
    title: "Invalid parameter",
    help: "Correct the query parameter or header that `detail` names.",
  },
  "invalid-cursor": {
    status: 400,
    title: "Invalid cursor",
    help: "Start again without `after`, and use cursors only with the query that made them.",
  },
  "idempotency-key-missing": {
    status: 400,
    title: "Idempotency key missing",
    help: "Send an Idempotency-Key header that is unique to this operation.",
  },
  unauthenticated: {
    status: 401,
    title: "Unauthenticated",
    help: "Send a valid API key as `Authorization: Bearer ph_…`.",
  },
  forbidden: {
    status: 403,
    title: "Forbidden",
    help: "Use a key or a role that holds the scope which `detail` names.",
  },
  "not-found": { status: 404, title: "Not found", help: "Check the path and the id." },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    help: "Use one of the methods in the Allow header.",
  },
  "state-conflict": {
    status: 409,
    title: "State conflict",
    help: "Read the resource again; `links` lists what is possible now.",
  },
  "idempotency-in-progress": {
    status: 409,
    title: "Idempotent request in progress",
    help: "Repeat the same request after the time in Retry-After.",
  },
  "events-expired": {
    status: 410,
    title: "Events expired",
    help: "Continue from `oldest_cursor`; what lies before it has passed its retention.",
  },
  "precondition-failed": {
    status: 412,
    title: "Precondition failed",
    help: "Read the resource again and repeat the change on its `current_version`.",
  },
  "payload-too-large": { status: 413, title: "Payload too large", help: "Send a smaller body." },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    help: "Send `Content-Type: application/json`.",
  },
  "validation-error": {
    status: 422,
    title: "Validation error",
    help: "Correct the members that `errors` points at.",
  },
  "idempotency-key-reused": {
    status: 422,
    title: "Idempotency key reused",
    help: "Use a new key for a different request.",
  },
  "endpoint-url-rejected": { status: 422, title: "Endpoint URL rejected", help: "Use a public https URL." },
  "precondition-required": {
    status: 428,
    title: "Precondition required",
    help: "Send If-Match with the quoted version from the ETag.",
  },
  "rate-limited": { status: 429, title: "Rate limited", help: "Wait for the time in Retry-After." },
  unavailable: { status: 503, title: "Unavailable", help: "Repeat after the time in Retry-After." },
  timeout: { status: 503, title: "Timeout", help: "Repeat with a narrower query." },
} as const satisfies Record<string, { status: number; title: string; help: string }>;

export type ProblemSlug = keyof typeof PROBLEMS;

/** The body of every error answer (RFC 9457 §3). Members beyond these depend on the type. */
export const Problem = z
  .looseObject({
    type: z.string().meta({ example: "https://posthorn.example/problems/validation-error" }),
    title: z.string().meta({ example: PROBLEMS["validation-error"].title }),
    status: z.int().meta({ example: PROBLEMS["validation-error"].status }),
    detail: z.string().optional().describe("What happened this time, for people."),
    instance: z.string().meta({ example: "urn:uuid:01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84" }),
    errors: z
      .array(
        z.object({
          detail: z.string().meta({ example: "must be three capital letters" }),
          pointer: z.string().meta({ example: "#/Currency" }),
        }),
      )
      .optional()
      .describe("Each defect of the content, with a JSON Pointer to it (RFC 6901, fragment form)."),
    current_version: Int64.optional().describe("Of `precondition-failed`: the resource's version now."),
    state: z.string().optional().describe("Of `state-conflict`: the resource's status now."),
    links: z.array(Link).optional().describe("Of `state-conflict`: what is possible now."),
    oldest_cursor: z.string().optional().describe("Of `events-expired`: where the feed begins now."),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;
