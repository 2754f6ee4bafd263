import { afterAll, beforeAll, expect, it } from "vitest";
import { ChaosServer } from "./database.ts";
import { violationsIn } from "./invariants/invariants.ts";
import { keep } from "./keep.ts";
import type { FaultKind } from "./plan.ts";
import { reportOf, summaryOf } from "./report.ts";
import { run } from "./run.ts";

// CHAOS_OUTAGE=60 has it away for a minute.
const SECONDS = Number(process.env.CHAOS_OUTAGE ?? 8);
const AGAIN = `CHAOS_OUTAGE=${SECONDS} npm test -- tests/chaos/outage`;
const BEGINS_MS = 3_000;

let server: ChaosServer;
beforeAll(async () => {
  server = await ChaosServer.start();
});
afterAll(() => server?.stop());

it.each<[string, FaultKind]>([
  ["is down", "stop database at once"],
  ["does not answer", "let nothing through"],
])(
  `holds what it has and goes on by itself while the database %s for ${SECONDS} s`,
  {
    timeout: SECONDS * 1_000 + 240_000,
  },
  async (_how, kind) => {
    const plan = [{ kind, atMs: BEGINS_MS, target: 0, forMs: SECONDS * 1_000 }];
    const options = {
      seed: 1,
      seconds: SECONDS + 6,
      plan,
      webs: 1,
      workers: 2,
      rate: 6,
      settleWithinMs: 90_000,
    };
    const evidence = await run(server, options);
    const violations = violationsIn(evidence);
    const kept = violations.length > 0 ? await keep(evidence) : "";
    expect(reportOf(violations, { plan, kept, again: AGAIN }), summaryOf(evidence)).toBe("");
    expect(evidence.accepted.length, summaryOf(evidence)).toBeGreaterThan(0);
    if (process.env.CHAOS_SUMMARY) process.stderr.write(`${summaryOf(evidence)}\n`);
  },
);
