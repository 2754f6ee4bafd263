import { vi } from "vitest";

/** Waits until the assertions in `check` hold, as long as a busy machine may take to get there; gives what it gives. */
export function eventually<T>(check: () => T | Promise<T>, timeoutMs = 30_000): Promise<T> {
  return vi.waitFor(check, { timeout: timeoutMs, interval: 20 });
}
