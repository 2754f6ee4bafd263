import { isConnectionError, sqlState } from "#db/database-errors.ts";
import { AppError } from "#server/errors.ts";
import { redact } from "#server/log/logger.ts";
import { InputError, UnavailableError } from "./input-error.ts";

const PLAIN = [UnavailableError.name, "SettingsError", "EmbeddedPostgresError"];

/** Says on standard error what went wrong, in one line where the cause is known; gives the exit code. */
export function reportFailure(error: unknown): 1 | 2 {
  console.error(`error: ${redact(describe(error))}`);
  return error instanceof InputError || error instanceof AppError ? 2 : 1;
}

/** What went wrong in one line; the stack where nobody foresaw it. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AppError) return error.issues.map(({ detail }) => detail).join(" ") || error.message;
  if (error instanceof InputError || PLAIN.includes(error.name)) return error.message;
  return describeDatabaseError(error) ?? error.stack ?? error.message;
}

/** What keeps the database from being used, or `undefined` when it is something else. */
export function describeDatabaseError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // Several addresses were tried: the error of all of them has no message of its own.
  const text = error.message || ("code" in error ? String(error.code) : error.name);
  const state = sqlState(error) ?? "";
  if (isConnectionError(error) || /^(28|3D)/.test(state)) return `The database cannot be reached: ${text}`;
  if (state === "42P01" || state === "3F000" || state === "42703")
    return "The tables of the database are not those of this version; `npm start` migrates it.";
  if (state !== "") return `The database refuses: ${text} (${state})`;
  return undefined;
}
