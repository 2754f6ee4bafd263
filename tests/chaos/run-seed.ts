import { expect, it } from "vitest";
import { ChaosServer } from "./database.ts";
import { violationsIn } from "./invariants/invariants.ts";
import { keep } from "./keep.ts";
import { planFaults } from "./plan.ts";
import { reportOf, summaryOf } from "./report.ts";
import { run } from "./run.ts";

// On a machine that is busy with other tests too: what counts is that something still comes round.
const SETTLE_WITHIN_MS = 180_000;
const STUCK_AFTER_MS = 30_000;

/** The test of one seed; `CHAOS_SEED` and `CHAOS_SECONDS` set another one, and another length. */
export function testSeed(usual: number): void {
  const seed = Number(process.env.CHAOS_SEED ?? usual);
  const seconds = Number(process.env.CHAOS_SECONDS ?? 60);
  const again = `CHAOS_SEED=${seed} CHAOS_SECONDS=${seconds} npm test -- tests/chaos/seed-1`;

  it(`loses, doubles, mixes up and betrays nothing in ${seconds} s of faults (seed ${seed})`, {
    timeout: seconds * 1000 + 2 * SETTLE_WITHIN_MS,
  }, async () => {
    const server = await ChaosServer.start();
    try {
      const plan = planFaults(seed, seconds);
      const evidence = await run(server, {
        ...{ seed, seconds, plan, webs: 2, workers: 3, rate: 6 },
        settleWithinMs: SETTLE_WITHIN_MS,
        stuckAfterMs: STUCK_AFTER_MS,
      });
      const violations = violationsIn(evidence);
      const kept = violations.length > 0 ? await keep(evidence) : "";
      expect(reportOf(violations, { plan, kept, again })).toBe("");
      // What took no part proves nothing.
      expect(evidence.accepted.length, summaryOf(evidence)).toBeGreaterThan(seconds / 2);
      expect(evidence.arrivals.length, summaryOf(evidence)).toBeGreaterThan(evidence.accepted.length);
      if (process.env.CHAOS_SUMMARY) process.stderr.write(`${summaryOf(evidence)}\n`);
    } finally {
      await server.stop();
    }
  });
}
