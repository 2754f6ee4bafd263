/** An installation that failed: what happened, and what the reader can do about it. */
export class InstallError extends Error {
  constructor(message, advice, exitCode = 1) {
    super(message);
    this.name = "InstallError";
    this.advice = advice;
    this.exitCode = exitCode;
  }
}

const causes = [
  [/ENOSPC|EDQUOT/, "The disk is full.", "Free about 1.5 GB and run the same command again."],
  [
    /EACCES|EPERM|EROFS/,
    "Packages are missing, and the project folder cannot be written.",
    "Run as the owner of the folder, or clone the project into a folder of your own.",
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/,
    "The package registry could not be reached.",
    "Check the network (or the proxy: npm config get proxy) and run the same command again.",
  ],
];

/** Turns what npm or the system said into an error that says what to do; `otherwise` when the cause is none of the usual. */
export function explainFailure(text, otherwise) {
  const found = causes.find(([pattern]) => pattern.test(text));
  const lastLines = text.trim().split("\n").slice(-12).join("\n");
  const [message, advice] = found
    ? found.slice(1)
    : [otherwise, "Delete node_modules and run the same command again."];
  return new InstallError(`${lastLines}\n\n${message}`, advice);
}
