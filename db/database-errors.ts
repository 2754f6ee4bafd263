const CONNECTION_CODES = new Set(["25006", "53300", "57P01", "57P02", "57P03", "57P05", "25P03"]);
const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
const CLIENT_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** Whether the database could not be reached, is restarting, or went away: nothing is wrong with the statement itself. */
export function isConnectionError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (code.startsWith("08") || CONNECTION_CODES.has(code) || SOCKET_CODES.has(code)) return true;
    if (CLIENT_MESSAGES.test(cause.message)) return true;
  }
  return false;
}

// Deadlock, serialization failure, lock or statement timeout, and what class 53 says of a disk or memory that is full.
const PASSING_CODES = new Set(["40P01", "40001", "55P03", "57014", "53000", "53100", "53200", "53400"]);

/** Whether the same transaction may well succeed if it is run again later. */
export function isPassing(error: unknown): boolean {
  return isConnectionError(error) || PASSING_CODES.has(sqlState(error) ?? "");
}

/** The SQLSTATE of a database error, looked for through drizzle's wrapper. */
export function sqlState(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && typeof cause.code === "string" && cause.code.length === 5) return cause.code;
  return undefined;
}
