import { afterAll, beforeAll, expect, it } from "vitest";
import { ChaosServer } from "../database.ts";
import { violationsIn } from "../invariants/invariants.ts";
import { run } from "../run.ts";
import { PLANTS } from "./plants.ts";

const SECONDS = 4;
/** The probe of an endpoint that fails may be with a worker that has vanished, and is waited for so long. */
const STUCK_AFTER_MS = 20_000;

let server: ChaosServer;
beforeAll(async () => {
  server = await ChaosServer.start();
});
afterAll(() => server?.stop());

it.each(PLANTS)("finds $what", { timeout: 240_000 }, async (plant) => {
  const { violates, mayViolate = [], plan = [], ...planted } = plant;
  const evidence = await run(server, {
    ...{ ...planted, plan, seed: 1, seconds: SECONDS, webs: 1, workers: 2, rate: 8 },
    settleWithinMs: 90_000,
    stuckAfterMs: STUCK_AFTER_MS,
  });
  const violations = violationsIn(evidence);
  const found = violations
    .map(({ invariant }) => invariant)
    .filter((invariant) => !mayViolate.includes(invariant));
  expect(found, JSON.stringify(violations, null, 1).slice(0, 4_000)).toEqual(violates);
});
