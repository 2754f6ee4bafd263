import type { Actor, Ctx } from "../context.ts";
import { AppError } from "../errors.ts";

/** The member of staff who calls. Only they hold the scopes of such calls, so that this never throws in practice. */
export function staffActor({ actor }: Ctx): Extract<Actor, { kind: "staff" }> {
  if (actor.kind !== "staff") throw new AppError("forbidden", "This is for staff who are signed in.");
  return actor;
}
