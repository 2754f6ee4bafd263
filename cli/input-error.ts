/** Something asked for that cannot be done as it was asked: told in one line, exit code 2, nothing has been changed. */
export class InputError extends Error {
  override name = "InputError";
}

/** What is needed is not there, such as the database: told in one line, exit code 1. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}
