import { setTimeout as sleep } from "node:timers/promises";
import { probe } from "./connection.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

const POLL_MS = 50;
const SILENCE_LIMIT_MS = 60_000;
// Recovery reads at most max_wal_size (1 GB) of log; this is many times what a slow disk needs for it.
const TOTAL_LIMIT_MS = 600_000;
const REPORT_EVERY_MS = 5_000;

/**
 * Waits until the server `pid` answers at `url`. Gives whether it does; false when it has ended instead. Rejects when it neither
 * answers nor ends in time.
 */
export async function untilReady(options: {
  pid: number;
  url: string;
  home: string;
  isRunning: () => boolean | Promise<boolean>;
  onProgress: (line: string) => void;
}): Promise<boolean> {
  const { pid, url, home, isRunning, onProgress } = options;
  const start = performance.now();
  let lastAnswer = start;
  let lastReport = start;
  for (;;) {
    const answer = await probe(url, home);
    if (answer.state === "ready") return true;
    if (!(await isRunning())) return false;
    const now = performance.now();
    if (answer.state === "busy") lastAnswer = now;
    if (now - lastAnswer > SILENCE_LIMIT_MS || now - start > TOTAL_LIMIT_MS)
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${pid}) runs but takes no connection: look into ${home}/postgres.log, end it with "kill -QUIT ${pid}" and start again.`,
      );
    if (now - lastReport > REPORT_EVERY_MS) {
      lastReport = now;
      onProgress(
        `Waiting for PostgreSQL: ${answer.state === "busy" ? answer.reason : "it does not answer yet"}`,
      );
    }
    await sleep(POLL_MS);
  }
}
