import type * as z from "zod";
import type { ProblemSlug } from "./problems.ts";
import type { Scope } from "./scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

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
  /** Absent: the answer has no body. */
  response?: R;
  /** Of success. */
  status: 200 | 201 | 202 | 204;
  /** Further statuses of success, each with when it comes; the body is the same `response`. */
  otherStatuses?: Readonly<Partial<Record<200 | 201, string>>>;
  /** `required`: a POST without Idempotency-Key is refused. Every POST honours the header. */
  idempotencyKey?: "required";
  /** `required`: 428 without If-Match. */
  ifMatch?: "required";
  /** Whether the answer carries a strong ETag of its version. */
  versioned?: boolean;
  /** Problems of this call beyond those that its other members imply. */
  problems?: readonly ProblemSlug[];
}

/** Types an operation by what is written, with the defaults of its absent parts. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  op: Operation<P, Q, B, R>,
): Operation<P, Q, B, R> {
  return op;
}
