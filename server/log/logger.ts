import { type DestinationStream, type Logger, pino } from "pino";
import { standardOutput } from "./standard-output.ts";

export type { Logger };

// Neither quotes nor backslashes are part of a secret, so that a line of JSON stays one.
const SECRET =
  /(whsec_|whsk_)[A-Za-z0-9+/=_-]+|(ph_[a-z]+_[0-9A-Za-z]+_|posthorn_portal_)[0-9A-Za-z]+|(postgres(?:ql)?:\/\/[^:\s/"\\]*:)[^\s/?#"\\]+(?=@)|((?:bearer|basic)\s+)[^\s"\\]+|(\b[A-Za-z0-9_-]{1,32}:)[A-Za-z0-9+/]{43}=/gi;

/** Replaces whatever looks like a secret of ours. A second wall: secrets are not logged in the first place. */
export function redact(text: string): string {
  return text.replace(
    SECRET,
    (_all, webhook, key, url, scheme, rootKey) => `${webhook ?? key ?? url ?? scheme ?? rootKey}[redacted]`,
  );
}

// Errors of the database carry row values in `detail`, `where` and `parameters`: only these members leave.
function errorOf(error: Error): object {
  const code = "code" in error ? String(error.code) : undefined;
  return {
    type: error.constructor.name,
    message: withoutValues(error.message, code),
    code,
    stack: withoutValues(error.stack ?? "", code),
    cause: error.cause instanceof Error ? errorOf(error.cause) : undefined,
  };
}

/** drizzle puts the parameters of a query into its message, and PostgreSQL the value that it could not read (class 22). */
function withoutValues(text: string, code: string | undefined): string {
  const shown = text.replaceAll(/\nparams: .*?(?=\n {4}at |$)/gs, "");
  return code?.startsWith("22") ? shown.replaceAll(/: ".*?"(?=\n {4}at |$)/gs, "") : shown;
}

/** Structured JSON lines on standard output, one logger per process; errors are logged as `err`. */
export function createLogger(options: {
  name: string;
  level: string;
  destination?: DestinationStream;
}): Logger {
  const destination = options.destination ?? standardOutput();
  return pino(
    {
      name: options.name,
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorOf },
      hooks: { streamWrite: redact },
    },
    destination,
  );
}
