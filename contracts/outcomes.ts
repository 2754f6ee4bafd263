import type { BreakerVerdict } from "./circuit-breaker.ts";
import type { FailureClass, Outcome } from "./deliveries.ts";

export const TLS_REASONS = [
  "expired",
  "not_yet_valid",
  "self_signed",
  "wrong_host",
  "untrusted",
  "revoked",
  "handshake",
] as const;
export type TlsReason = (typeof TLS_REASONS)[number];

/** Why a try ended without an answer that counts. */
export type TransportErrorCode =
  | "dns_failure"
  | "connection_refused"
  | "connection_reset"
  | "connect_timeout"
  | "timeout"
  | `tls_${TlsReason}`
  | "bad_response"
  | "address_blocked"
  | "worker_lost"
  | "internal";

/** `error_code` of an attempt that was not ok. */
export type ErrorCode = TransportErrorCode | "redirect_not_followed" | `http_${number}`;

/** One row of the outcome table. A row is about answers (`statuses`) or about tries without one (`errors`). */
export interface OutcomeRow {
  /** What the row is about, for people. */
  readonly when: string;
  /** Status codes and inclusive ranges of them. */
  readonly statuses?: readonly (number | readonly [number, number])[];
  readonly errors?: readonly TransportErrorCode[];
  readonly outcome: Outcome;
  /** What it says of the endpoint to its circuit breaker. */
  readonly breaker: BreakerVerdict;
  /** `http_<status>` stands for the status itself, `<error>` for the transport error; null when ok. */
  readonly errorCode: "http_<status>" | "redirect_not_followed" | "bad_response" | "<error>" | null;
  /** Why the result has this outcome, as one or two sentences for people. */
  readonly why: string;
  /** How a delivery fails for good when this ends it at once. */
  readonly failureClass?: FailureClass;
  /** The next try waits at least this long. */
  readonly minDelayMs?: number;
  readonly honoursRetryAfter?: true;
  /** The endpoint is overloaded: fewer requests at a time until it recovers. */
  readonly throttle?: true;
  /** Only a person can fix it, so its owner hears of it at once. */
  readonly alertOwner?: true;
  /** It uses up no try of the schedule. */
  readonly notCounted?: true;
}

/**
 * What every result of a try means: the first row that fits decides. Total: the last row about answers takes any
 * status, and every transport error is named. Code, documentation and console read this one table.
 */
export const OUTCOME_TABLE: readonly OutcomeRow[] = [
  {
    when: "2xx",
    statuses: [[200, 299]],
    outcome: "ok",
    breaker: "answers",
    errorCode: null,
    why: "The status line is the answer; a body that is too large or breaks off does not matter.",
  },
  {
    when: "3xx",
    statuses: [[300, 399]],
    outcome: "retry_short",
    breaker: "answers",
    errorCode: "redirect_not_followed",
    why: "Redirects are never followed. Mostly the URL is wrong, at times the site is in maintenance.",
  },
  {
    when: "410",
    statuses: [410],
    outcome: "disable",
    breaker: "none",
    errorCode: "http_<status>",
    failureClass: "gone",
    why: "The receiver says that the address is gone for good, so the endpoint is disabled.",
  },
  {
    when: "401, 403, 404, 407, 421",
    statuses: [401, 403, 404, 407, 421],
    outcome: "retry_short",
    breaker: "answers",
    errorCode: "http_<status>",
    why: "A key rotation, a firewall rule or a deploy in progress heals within minutes; a dead URL does not.",
  },
  {
    when: "429",
    statuses: [429],
    outcome: "retry",
    breaker: "throttles",
    errorCode: "http_<status>",
    why: "The receiver asks for fewer requests.",
    minDelayMs: 60_000,
    honoursRetryAfter: true,
    throttle: true,
  },
  {
    when: "408, 409, 423, 424, 425",
    statuses: [408, 409, 423, 424, 425],
    outcome: "retry",
    breaker: "answers",
    errorCode: "http_<status>",
    why: "Passes by definition: a timeout, a conflict or a lock.",
  },
  {
    when: "any other 4xx",
    statuses: [[400, 499]],
    outcome: "permanent",
    breaker: "answers",
    errorCode: "http_<status>",
    failureClass: "permanent",
    why: "The same bytes would get the same answer, so the delivery is not repeated by itself.",
  },
  {
    when: "503",
    statuses: [503],
    outcome: "retry",
    breaker: "fails",
    errorCode: "http_<status>",
    why: "The receiver is overloaded or in maintenance.",
    honoursRetryAfter: true,
    throttle: true,
  },
  {
    when: "502, 504",
    statuses: [502, 504],
    outcome: "retry",
    breaker: "fails",
    errorCode: "http_<status>",
    why: "A gateway does not reach the receiver behind it.",
    throttle: true,
  },
  {
    when: "any other 5xx",
    statuses: [[500, 599]],
    outcome: "retry",
    breaker: "fails",
    errorCode: "http_<status>",
    why: "The receiver failed; a later try may find it repaired.",
  },
  {
    when: "any other status",
    statuses: [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]],
    outcome: "retry",
    breaker: "fails",
    errorCode: "bad_response",
    why: "No final status of HTTP: something broken stands in between.",
  },
  {
    when: "the name does not resolve",
    errors: ["dns_failure"],
    outcome: "retry",
    breaker: "fails",
    errorCode: "<error>",
    why: "A DNS change spreads, or a resolver is down.",
  },
  {
    when: "connection refused, unreachable, reset or closed early",
    errors: ["connection_refused", "connection_reset"],
    outcome: "retry",
    breaker: "fails",
    errorCode: "<error>",
    why: "The receiver restarts or is being deployed.",
  },
  {
    when: "no connection or no status in time",
    errors: ["connect_timeout", "timeout"],
    outcome: "retry",
    breaker: "fails",
    errorCode: "<error>",
    why: "An overloaded receiver needs a pause.",
    minDelayMs: 60_000,
  },
  {
    when: "TLS fails: certificate expired, self-signed, for another name, or no handshake",
    errors: [
      "tls_expired",
      "tls_not_yet_valid",
      "tls_self_signed",
      "tls_wrong_host",
      "tls_untrusted",
      "tls_revoked",
      "tls_handshake",
    ],
    outcome: "retry",
    breaker: "fails",
    errorCode: "<error>",
    why: "People renew certificates within the time of the schedule. Verification is never switched off.",
    alertOwner: true,
  },
  {
    when: "the answer is not HTTP, or its headers are too large",
    errors: ["bad_response"],
    outcome: "retry",
    breaker: "fails",
    errorCode: "<error>",
    why: "A proxy in between is broken.",
  },
  {
    when: "the address is not public",
    errors: ["address_blocked"],
    outcome: "permanent",
    breaker: "none",
    errorCode: "<error>",
    failureClass: "blocked",
    why: "The address policy refused it before a byte was sent.",
  },
  {
    when: "our worker stopped in the middle",
    errors: ["worker_lost"],
    outcome: "lost",
    breaker: "none",
    errorCode: "<error>",
    why: "Not the endpoint's fault: the delivery is handed out again at once.",
    notCounted: true,
  },
  {
    when: "we failed ourselves",
    errors: ["internal"],
    outcome: "retry",
    breaker: "none",
    errorCode: "<error>",
    why: "Not the endpoint's fault, and nothing against it; what we fail at again and again ends with the schedule.",
  },
];
