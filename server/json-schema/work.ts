/** Thrown when a validation would take more work than it may. */
export class WorkExceeded extends Error {
  override name = "WorkExceeded";
}

const MAX_PATTERN_TEXT = 10_000;
const MAX_PATTERN_MS = 100;

/** What a validation may cost. A unit is about one comparison. */
export class Work {
  #units = 0;
  #patternMs = 0;
  #cpuMs: number | undefined;

  /** Allows a new validation so much, and no more. */
  allow(units: number): void {
    this.#units = units;
    this.#patternMs = 0;
    this.#cpuMs = undefined;
  }

  /** Takes units away. Throws `WorkExceeded` when there are no more. */
  spend(units: number): void {
    this.#units -= units;
    if (this.#units < 0) throw new WorkExceeded();
  }

  /**
   * Runs the matching of a text. Some expressions cost a thousand times what most do, and nothing tells which, so that
   * time itself is bounded: to 100 ms, where most events take less than one.
   */
  match(text: string, test: () => boolean): boolean {
    if (text.length > MAX_PATTERN_TEXT) throw new WorkExceeded();
    this.spend(1 + text.length / 4);
    this.#cpuMs ??= cpuMs();
    const startedAt = performance.now();
    const matched = test();
    this.#patternMs += performance.now() - startedAt;
    if (this.#patternMs > MAX_PATTERN_MS) this.#lookAtCpu();
    return matched;
  }

  /** On a busy machine most of the time was others'. */
  #lookAtCpu(): void {
    if (cpuMs() - (this.#cpuMs ?? 0) > MAX_PATTERN_MS) throw new WorkExceeded();
    this.#patternMs = 0;
  }
}

/** What this thread has computed. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
