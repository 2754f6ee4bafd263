import type * as z from "zod";
import type { Deprecation } from "./deprecation.ts";
import type { ProblemSlug } from "./problems.ts";
import type { Scope } from "./scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How much of the result a client wants to see. */
export type ReturnPreference = "minimal" | "representation";

/** One call of the API: what its route, its documentation and its client are made from. */
export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  id: string;
  tag: string;
  method: Method;
  /** Below `/api/v1`, with parameters in braces: `/orders/{id}`. */
  path: string;
  summary: string;
  description?: string;
  /** What the caller must hold. `null`: being authenticated is enough. */
  scope: Scope | null;
  /** What staff must hold instead, where the scope of programs would let them do more than this. */
  staffScope?: Scope;
  /** Staff must have given their password within the last ten minutes; 403 `reauthentication-required` else. */
  recentSignIn?: true;
  /** `none`: the call concerns no single tenant, so staff need not name one. */
  tenant?: "none";
  params?: P;
  query?: Q;
  body?: B;
  /** A request without any body is taken as `{}`. */
  bodyOptional?: boolean;
  /** The problem of a defect in a member of the body, where that is not `validation-error`. */
  memberProblems?: Readonly<Record<string, ProblemSlug>>;
  /** Default 256 KiB. */
  maxBodyBytes?: number;
  /** How many events a valid body publishes. The call counts against the tenant's limit of events, not the key's of requests. */
  publishes?(body: z.output<B>): number;
  /** Absent: the answer has no body. */
  response?: R;
  /** Of success. */
  status: 200 | 201 | 202 | 204;
  /** Further statuses of success, each with when it comes; the body is the same `response`. */
  otherStatuses?: Readonly<Partial<Record<200 | 201, string>>>;
  /** Whether an answer other than 201, which always does, names what it made or began in Location. */
  location?: true;
  /** `required`: a POST without Idempotency-Key is refused. Every POST honours the header. */
  idempotencyKey?: "required";
  /** The answer shows a secret, so that what is kept of it for repeats with the same Idempotency-Key is sealed. */
  showsSecret?: true;
  /** `required`: 428 without If-Match. */
  ifMatch?: "required";
  /**
   * Whether the call is about one resource that has versions: reads and changes answer with a strong ETag of the version,
   * but PUT (RFC 9110 §9.3.4) and DELETE do not; If-Match guards changes.
   */
  versioned?: boolean;
  /**
   * What a client may ask for by `Prefer: return=…` in place of the default (RFC 7240): with `minimal` the default answer
   * has the body, and 204 is what can be asked for; with `representation` the default is 204, and 200 with the body is what
   * can be asked for. The use case gives the body in any case.
   */
  prefer?: ReturnPreference;
  /** Problems of this call beyond those that its other members imply. */
  problems?: readonly ProblemSlug[];
  /** The call is going away: set by `deprecate`. */
  deprecation?: Deprecation;
}

/** What signed-in staff must hold. */
export const staffScopeOf = ({ scope, staffScope = scope ?? undefined }: Operation): Scope | null =>
  staffScope ?? null;

/** Types an operation by what is written: its id and the schemas of its parts are known wherever it is used. */
export function operation<const O extends Operation>(op: O): O {
  return op;
}
