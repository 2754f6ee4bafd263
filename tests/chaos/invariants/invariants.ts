import type { Evidence } from "../evidence.ts";
import { nobodyElseGetsIt, oneRequestATry, orderIsKept } from "./arrivals.ts";
import {
  endsAreFinal,
  endsAreTrue,
  everythingEnds,
  logIsComplete,
  repeatsAreExplained,
} from "./deliveries.ts";
import { acceptedIsStored, everyoneIsServed, feedIsWhole, refusalsAreHonest } from "./events.ts";
import { nothingIsLeft, processesLive, secretsAreKept } from "./processes.ts";

/** What must hold of every run, whatever was broken in it. Each gives its violations, one text each. */
const INVARIANTS = {
  "what is accepted is stored": acceptedIsStored,
  "every subscriber has its delivery": everyoneIsServed,
  "every delivery ends": everythingEnds,
  "a delivery ends as its receiver saw it": endsAreTrue,
  "an end is final": endsAreFinal,
  "the log has every try": logIsComplete,
  "a repeat has its reason": repeatsAreExplained,
  "a try is one request": oneRequestATry,
  "nothing comes to anybody else": nobodyElseGetsIt,
  "order is kept": orderIsKept,
  "the feed leaves nothing out": feedIsWhole,
  "publishers get honest answers": refusalsAreHonest,
  "no secret is logged": secretsAreKept,
  "processes stay up": processesLive,
  "nothing is left over": nothingIsLeft,
} satisfies Record<string, (evidence: Evidence) => string[]>;

export type Invariant = keyof typeof INVARIANTS;

export interface Violation {
  invariant: Invariant;
  problems: string[];
}

/** The invariants that do not hold, with all that speaks against them. */
export function violationsIn(evidence: Evidence): Violation[] {
  return Object.entries(INVARIANTS).flatMap(([invariant, check]) => {
    const problems = check(evidence);
    return problems.length > 0 ? [{ invariant: invariant as Invariant, problems }] : [];
  });
}
