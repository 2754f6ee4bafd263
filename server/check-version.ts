import { exactNumber } from "./domain/exact-number.ts";
import { AppError } from "./errors.ts";

/**
 * 412 unless the current version is among those that the caller expects; `null` expects none in particular.
 * Compared as text, so that no digits are lost.
 */
export function checkVersion(expected: readonly string[] | null, currentVersion: string): void {
  if (expected !== null && !expected.includes(currentVersion))
    throw preconditionFailed("The resource has changed since that version.", currentVersion);
}

/** The refusal of a change that was not meant for the version that the resource has. */
export function preconditionFailed(detail: string, currentVersion: string): AppError {
  return new AppError("precondition-failed", detail, {
    members: { current_version: exactNumber(currentVersion) },
  });
}
