import * as z from "zod";
import { Int64, Link } from "./page.ts";

/** Every problem type of the API (RFC 9457): its status, its title, what it means, and what to do about it. */
export const PROBLEMS = {
  "malformed-json": {
    status: 400,
    title: "Malformed JSON",
    meaning:
      "The body is no JSON document, is not in UTF-8, is nested too deeply, or has a member named `__proto__`. Nothing was done.",
    help: "Send one JSON document in UTF-8, at most 32 levels deep.",
  },
  "invalid-parameter": {
    status: 400,
    title: "Invalid parameter",
    meaning:
      "A query parameter or a header has a value that cannot be, is repeated, or does not exist for this call. Nothing was done.",
    help: "Correct the query parameter or header that `detail` names.",
  },
  "invalid-cursor": {
    status: 400,
    title: "Invalid cursor",
    meaning:
      "The cursor was altered, has expired, or was made by another query, another key or another tenant.",
    help: "Start again without `after`, and use cursors only with the query that made them.",
  },
  "idempotency-key-missing": {
    status: 400,
    title: "Idempotency key missing",
    meaning:
      "This call makes something that must not be made twice by accident, so it needs a key to be known by.",
    help: "Send an Idempotency-Key header that is unique to this operation.",
  },
  unauthenticated: {
    status: 401,
    title: "Unauthenticated",
    meaning: "The call had no credentials, or some that are unknown, revoked or expired.",
    help: "Send a valid API key as `Authorization: Bearer ph_…`.",
  },
  forbidden: {
    status: 403,
    title: "Forbidden",
    meaning: "The credentials are valid but do not allow this call.",
    help: "Use a key or a role that holds the scope which `detail` names.",
  },
  "reauthentication-required": {
    status: 403,
    title: "Reauthentication required",
    meaning:
      "The session may do this, but its password was last given more than ten minutes ago. Nothing was done.",
    help: "Send the password to `PUT /account/reauthentication`, then repeat the same request.",
  },
  "not-found": {
    status: 404,
    title: "Not found",
    meaning:
      "There is nothing under this address, at least for you: what belongs to another tenant answers alike.",
    help: "Check the path and the id.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    meaning: "The address exists and does not take this method.",
    help: "Use one of the methods in the Allow header.",
  },
  "state-conflict": {
    status: 409,
    title: "State conflict",
    meaning: "The resource is in a state in which this cannot be done, such as paying an order that is paid.",
    help: "Read the resource again; `links` lists what is possible now.",
  },
  "idempotency-in-progress": {
    status: 409,
    title: "Idempotent request in progress",
    meaning:
      "Another request with this Idempotency-Key is being worked on, and has not ended within two seconds.",
    help: "Repeat the same request after the time in Retry-After.",
  },
  "events-expired": {
    status: 410,
    title: "Events expired",
    meaning:
      "The cursor stands for a position in the feed whose events are past their retention and deleted.",
    help: "Continue from `oldest_cursor`; what lies before it has passed its retention.",
  },
  "precondition-failed": {
    status: 412,
    title: "Precondition failed",
    meaning:
      "The resource is not at the version that If-Match names: somebody has changed it since you read it. Nothing was done.",
    help: "Read the resource again and repeat the change on its `current_version`.",
  },
  "payload-too-large": {
    status: 413,
    title: "Payload too large",
    meaning: "The body is larger than this call takes.",
    help: "Send a smaller body.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    meaning: "The body is of a type that this call does not take.",
    help: "Send `Content-Type: application/json`.",
  },
  "validation-error": {
    status: 422,
    title: "Validation error",
    meaning: "The body is JSON, but what it says cannot be done. Nothing was done.",
    help: "Correct the members that `errors` points at.",
  },
  "idempotency-key-reused": {
    status: 422,
    title: "Idempotency key reused",
    meaning: "This Idempotency-Key, or this event id, stands for another request already. Nothing was done.",
    help: "Use a new key for a different request.",
  },
  "endpoint-url-rejected": {
    status: 422,
    title: "Endpoint URL rejected",
    meaning:
      "The URL cannot be an endpoint: it is malformed, is not https, or leads to an address that may not be called.",
    help: "Use a public https URL.",
  },
  "precondition-required": {
    status: 428,
    title: "Precondition required",
    meaning: "This change must name the version that it is meant for, so that it undoes nobody else's.",
    help: "Send If-Match with the quoted version from the ETag.",
  },
  "rate-limited": {
    status: 429,
    title: "Rate limited",
    meaning: "There were more requests, or more events, than the limit allows. Nothing was done.",
    help: "Wait for the time in Retry-After.",
  },
  unavailable: {
    status: 503,
    title: "Unavailable",
    meaning:
      "The service cannot do its work just now. What became of a change is not certain: repeat it with its Idempotency-Key.",
    help: "Repeat after the time in Retry-After.",
  },
  timeout: {
    status: 503,
    title: "Timeout",
    meaning: "The work took longer than it may, or the body took too long to arrive.",
    help: "Repeat with a narrower query.",
  },
} as const satisfies Record<string, { status: number; title: string; meaning: string; help: string }>;

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
