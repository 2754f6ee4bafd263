/** A start or stop of the embedded database failed. The message is one sentence for the operator, advice included. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}

const CAUSES = [
  {
    pattern: /ENOSPC|EDQUOT|No space left|quota exceeded|wrote only|disk is full/i,
    cause: "the disk is full",
    advice: "free some space on the disk of {place} and start again",
  },
  {
    pattern: /EROFS|Read-only file system/i,
    cause: "the disk is read-only",
    advice: "make {place} writable or set POSTHORN_DATA_DIR to a folder that is",
  },
  {
    pattern:
      /EACCES|EPERM|Permission denied|Operation not permitted|readonly database|unable to open database file/i,
    cause: "a permission is missing",
    advice:
      "give this user access to {place}, start as the user who owns it, or set POSTHORN_DATA_DIR to another folder",
  },
];

/** Whether the text tells one of the causes that an operator can do something about. */
export function namesCause(text: string): boolean {
  return CAUSES.some(({ pattern }) => pattern.test(text));
}

/**
 * Words a failure for the operator: what failed, why, the system's own line and what to do.
 * `reason` is an error of Node or a line of PostgreSQL's log; `place` is the folder it is about.
 */
export function describeFailure(what: string, reason: unknown, place: string): EmbeddedPostgresError {
  if (reason instanceof EmbeddedPostgresError) return reason;
  const detail = reason instanceof Error ? reason.message : String(reason);
  const known = CAUSES.find(({ pattern }) => pattern.test(detail));
  const advice = known?.advice ?? "look into {place}, or set DATABASE_URL to use a PostgreSQL of your own";
  return new EmbeddedPostgresError(
    `${what}: ${known ? `${known.cause} (${detail})` : detail}; ${advice.replace("{place}", place)}.`,
    { cause: reason },
  );
}
