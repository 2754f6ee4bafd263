import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogger } from "#server/log/logger.ts";
import { Poller, type RunEnd } from "./poller.ts";

const log = createLogger({ name: "test", level: "silent" });
const INTERVAL_MS = 1_000;

// Set times are rounded up to 10 ms.
beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

/** A poller whose runs end when and how the test says. */
function newPoller() {
  const runs: number[] = [];
  let ends: ((end: RunEnd | Error) => void) | undefined;
  const poller = new Poller(
    INTERVAL_MS,
    () => {
      runs.push(Date.now());
      return new Promise((resolve, reject) => {
        ends = (end) => (end instanceof Error ? reject(end) : resolve(end));
      });
    },
    log,
  );
  const startedAt = Date.now();
  return {
    poller,
    /** When it ran, in milliseconds since the start. */
    at: () => runs.map((run) => run - startedAt),
    end: async (end: RunEnd | Error) => {
      ends?.(end);
      await vi.advanceTimersByTimeAsync(0);
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    inMs: (ms: number) => new Date(startedAt + ms),
  };
}

describe("a poller", () => {
  it("runs within a time that it is given, and at once when there is none", async () => {
    const { poller, at, end, pass } = newPoller();
    poller.start();
    await end("idle");
    poller.kickWithin(25);
    await pass(20);
    expect(at()).toEqual([0]);
    await pass(10);
    expect(at()).toEqual([0, 30]);
    await end("idle");
    poller.kickWithin(0);
    expect(at()).toEqual([0, 30, 30]);
    await end("idle");
    await poller.stop();
  });

  it("runs at the start, then each interval after a run has ended, never two at once", async () => {
    const { poller, at, end, pass } = newPoller();
    poller.start();
    await pass(5_000);
    expect(at()).toEqual([0]);
    await end("idle");
    await pass(INTERVAL_MS);
    expect(at()).toEqual([0, 6_000]);
  });

  it("runs again at once while there is more to do", async () => {
    const { poller, at, end } = newPoller();
    poller.start();
    await end("more");
    await end("more");
    await end("idle");
    expect(at()).toEqual([0, 0, 0]);
  });

  it("runs when it is kicked, and once more when that was during a run", async () => {
    const { poller, at, end, pass } = newPoller();
    poller.start();
    await end("idle");
    await pass(300);
    poller.kick();
    poller.kick();
    poller.kick();
    await end("idle");
    await end("idle");
    expect(at()).toEqual([0, 300, 300]);
  });

  it("runs at every set time, those set during a run and those beyond the interval included", async () => {
    const { poller, at, end, pass, inMs } = newPoller();
    poller.start();
    poller.kickAt(inMs(1_730));
    await end("more");
    poller.kickAt(inMs(450));
    await end("idle");
    for (let i = 0; i < 30; i++) {
      await pass(100);
      await end("idle");
    }
    expect(at()).toEqual(expect.arrayContaining([450, 1_730]));
    expect(at().length).toBeLessThan(9);
  });

  it("runs at a set time that has passed while a run was under way", async () => {
    const { poller, at, end, pass, inMs } = newPoller();
    poller.start();
    poller.kickAt(inMs(200));
    await pass(500);
    await end("idle");
    await pass(0);
    expect(at()).toEqual([0, 500]);
  });

  it("resumes only where it ended for want of room", async () => {
    const { poller, at, end, pass } = newPoller();
    poller.start();
    await end("idle");
    poller.resume();
    expect(at()).toEqual([0]);
    await pass(INTERVAL_MS);
    await end("full");
    poller.resume();
    expect(at()).toEqual([0, 1_000, 1_000]);
  });

  it("pauses after an error, even when it is kicked", async () => {
    const { poller, at, end, pass } = newPoller();
    poller.start();
    poller.kick();
    await end(new Error("away"));
    expect(at()).toEqual([0]);
    await pass(INTERVAL_MS);
    expect(at()).toEqual([0, 1_000]);
  });

  it("stops when the present run has ended, and does nothing from then on", async () => {
    const { poller, at, end, pass, inMs } = newPoller();
    poller.start();
    let isStopped = false;
    const stopping = poller.stop().then(() => {
      isStopped = true;
    });
    await pass(100);
    expect(isStopped).toBe(false);
    await end("more");
    await stopping;
    poller.kick();
    poller.kickAt(inMs(200));
    poller.resume();
    await pass(10_000);
    expect(at()).toEqual([0]);
  });
});
