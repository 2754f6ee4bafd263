import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";

export type { Logger };

const SECRET =
  /(whsec_|whsk_)[A-Za-z0-9+/=_-]+|(ph_[a-z]+_[0-9A-Za-z]+_)[0-9A-Za-z]+|(postgres(?:ql)?:\/\/[^:\s/]+:)[^@\s]+(?=@)|((?:bearer|basic)\s+)[^\s"]+/gi;

/** Replaces whatever looks like a secret of ours. A second wall: secrets are not logged in the first place. */
export function redact(text: string): string {
  return text.replace(
    SECRET,
    (_all, webhook, key, url, scheme) => `${webhook ?? key ?? url ?? scheme}[redacted]`,
  );
}

// Errors of the database carry row values in `detail`, `where` and `parameters`: only these members leave.
function errorOf(error: Error): object {
  const { type, message, stack } = stdSerializers.err(error);
  const code = "code" in error ? error.code : undefined;
  return {
    type,
    message,
    code,
    stack,
    cause: error.cause instanceof Error ? errorOf(error.cause) : undefined,
  };
}

/** Structured JSON lines on standard output, one logger per process; errors are logged as `err`. */
export function createLogger(options: {
  name: string;
  level: string;
  destination?: DestinationStream;
}): Logger {
  const destination = options.destination ?? pino.destination({ dest: 1, sync: false });
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
