import type { Tx } from "#db/client.ts";
import { checkVersion } from "./check-version.ts";
import type { Ctx } from "./context.ts";
import { notFound } from "./errors.ts";

/** How one kind of resource is changed; `T` is what the caller gets. */
export interface ConditionalChange<R, T> {
  /** What If-Match expects; `null` expects nothing. */
  expectedVersions: readonly string[] | null;
  /**
   * Decides on what the resource is now, which may throw, and writes by an update that is conditional on that version,
   * with its event. Gives what it has become, which is what it was when there is nothing to do; `undefined` when
   * somebody else has changed it in between.
   */
  attempt(tx: Tx, current: R): Promise<T | undefined>;
  reread(tx: Tx): Promise<R | undefined>;
}

/**
 * Changes a resource and tells of it in one transaction. Of several changes at once one is written; who comes too late
 * reads again and decides on what the resource has become: 404 when it is gone, 412 when another version was expected.
 */
export function conditionalChange<R extends { version: string }, T>(
  ctx: Ctx,
  found: R,
  { expectedVersions, attempt, reread }: ConditionalChange<R, T>,
): Promise<T> {
  return ctx.transaction(async (tx) => {
    for (let current: R | undefined = found; current; current = await reread(tx)) {
      checkVersion(expectedVersions, current.version);
      const changed = await attempt(tx, current);
      if (changed !== undefined) return changed;
    }
    throw notFound();
  });
}
