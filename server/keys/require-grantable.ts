import type { Actor } from "../context.ts";
import { AppError } from "../errors.ts";

/**
 * 403 to a key that would make one which may do more than itself. Staff who manage keys may give every scope: their
 * role holds no scope of programs, such as `events:write`.
 */
export function requireGrantable(actor: Actor, scopes: readonly string[]): void {
  if (actor.kind !== "staff") requireHeld(actor, scopes, "A key cannot give scopes that it does not hold");
}

/** 403, in these words, to whoever would give a scope that is not theirs. */
export function requireHeld(actor: Actor, scopes: readonly string[], refusal: string): void {
  const held: ReadonlySet<string> = actor.scopes;
  const missing = scopes.filter((scope) => !held.has(scope));
  if (missing.length > 0) throw new AppError("forbidden", `${refusal}: ${missing.join(", ")}.`);
}
