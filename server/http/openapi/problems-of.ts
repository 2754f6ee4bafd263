import * as z from "zod";
import type { Operation } from "#contracts/operation.ts";
import type { ProblemSlug } from "#contracts/problems.ts";
import { takesIfMatch } from "../precondition.ts";
import { staffNameTenant } from "./access.ts";

/** Whether the call pages through a list. */
export function isList({ query }: Operation): boolean {
  return query instanceof z.ZodObject && "after" in query.shape;
}

/** Every problem that the call can answer, by what its operation says; `route` has the checks in the same order. */
export function problemsOf(operation: Operation): ProblemSlug[] {
  const { method, scope, params, body, memberProblems = {}, problems = [] } = operation;
  const isPost = method === "POST";
  const implied: [boolean, ...ProblemSlug[]][] = [
    [true, "unauthenticated", "rate-limited"],
    // Staff are also refused a change that does not come from the console's own pages.
    [scope !== null || method !== "GET", "forbidden"],
    [operation.recentSignIn === true, "reauthentication-required"],
    [params !== undefined || staffNameTenant(operation), "not-found"],
    [body !== undefined, "unsupported-media-type", "payload-too-large", "malformed-json", "validation-error"],
    [takesIfMatch(operation), "precondition-required", "precondition-failed"],
    // A query parameter that the call does not have, at least.
    [true, "invalid-parameter"],
    [isList(operation), "invalid-cursor"],
    [operation.idempotencyKey === "required", "idempotency-key-missing"],
    [isPost, "idempotency-in-progress", "idempotency-key-reused"],
    // Every statement has a time to end in, so that any call can run out of it.
    [true, ...Object.values(memberProblems), ...problems, "unavailable", "timeout"],
  ];
  return [...new Set(implied.flatMap(([applies, ...slugs]) => (applies ? slugs : [])))];
}
