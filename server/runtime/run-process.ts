import { SettingsError } from "../settings/settings.ts";

/** A process that is up. */
export interface Running {
  stop(): Promise<void>;
}

const STOP_WITHIN_MS = 9_000;

/**
 * Starts a process and stops it once on SIGINT, SIGTERM or when its parent is gone. A bad setting ends it with one line
 * and status 1; a stop that hangs is cut short.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  const running = await start().catch((error: unknown) => {
    const text =
      error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await running.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const)
    process.on(signal, () => void stop().catch(() => process.exit(1)));
}
