import type { Actor } from "../context.ts";
import { isSameOrigin } from "../domain/same-origin.ts";
import { AppError } from "../errors.ts";
import type { ApiRequest } from "./message.ts";

/**
 * 403 to a change that a page of another origin could have made a signed-in browser send. A browser sets both headers
 * itself. API keys are not sent by browsers on their own, so their requests need no such proof.
 */
export function requireSameOrigin(actor: Actor, request: ApiRequest, origin: string): void {
  if (actor.kind !== "staff" || request.method === "GET" || request.method === "HEAD") return;
  if (isSameOrigin((name) => request.header(name), [origin])) return;
  throw new AppError("forbidden", "A change by session cookie must come from the console itself.");
}
