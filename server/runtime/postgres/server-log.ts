import { copyFile, open, stat, truncate } from "node:fs/promises";
import { namesCause } from "./embedded-postgres-error.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const CHECK_EVERY_MS = 60_000;
const TAIL_BYTES = 16 * 1024;
const TIME_AND_PID = /^[\d-]+ [\d:.]+ \S+ \[\d+\] /;

/**
 * Keeps the log at about 8 MiB, and as much again in `<log>.1`, until the given function is called. PostgreSQL's own rotation
 * bounds age, not size. The server appends (O_APPEND), so the file may be cut under it and need not be opened anew.
 */
export function boundLog(logFile: string): () => void {
  const check = () => void cutIfLong(logFile);
  check();
  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

async function cutIfLong(logFile: string): Promise<void> {
  try {
    if ((await stat(logFile)).size <= MAX_BYTES) return;
    // On a full disk the copy is given up, the cut is not: it frees space.
    await copyFile(logFile, `${logFile}.1`).catch(() => {});
    await truncate(logFile);
  } catch {
    // The log is only for people; the database goes on without it.
  }
}

/** What the log says from byte `offset` on, at most the last 16 KiB. */
export async function readLogFrom(logFile: string, offset: number): Promise<string> {
  const file = await open(logFile, "r");
  try {
    const { size } = await file.stat();
    const start = Math.max(offset, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * The line of a server's or initdb's output that tells what went wrong, without time and pid; "" when there is none. One that
 * names a known cause is preferred: what fails after a full disk may sound much worse.
 */
export function lastMeaningfulLine(output: string): string {
  const lines = output
    .split("\n")
    .flatMap((line) => line.replace(TIME_AND_PID, "").replaceAll(/\s+/g, " ").trim() || []);
  // The server also notes each connection that it turned down while it started: those are our own.
  const failures = lines.filter(
    (line) =>
      /\b(FATAL|PANIC|ERROR|error|could not)\b/.test(line) && !line.includes("the database system is"),
  );
  return failures.findLast(namesCause) ?? failures.at(-1) ?? lines.at(-1) ?? "";
}
