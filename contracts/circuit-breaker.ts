/** Failed attempts in a row, as one worker sees them, after which the breaker of an endpoint opens. */
export const OPEN_AFTER_FAILURES = 10;
/** It opens too when, within so many seconds, … */
export const FAILING_WITHIN_SECONDS = 30;
/** … there were at least so many attempts … */
export const FAILING_ATTEMPTS = 20;
/** … and so many of a hundred failed. */
export const FAILING_PERCENT = 80;
/** How long it is open for the first time, in seconds; each time as long again. `RETRY_SCALE` multiplies it. */
export const FIRST_OPEN_SECONDS = 10;
/** … and at most. */
export const LONGEST_OPEN_SECONDS = 300;
/** An endpoint that fails again so many seconds after its breaker was closed goes on where it left off. */
export const FLAPPING_WITHIN_SECONDS = 300;

export const BREAKER_STATES = ["closed", "open", "half_open"] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** What an attempt says of its endpoint to the breaker; each row of the outcome table names one. */
export type BreakerVerdict = "answers" | "fails" | "throttles" | "none";

/** What the breaker makes of a verdict. Code and documentation read this one table. */
export const BREAKER_TABLE: Readonly<Record<BreakerVerdict, { what: string; why: string }>> = {
  answers: {
    what: "ends the row of failures, and closes the breaker",
    why: "Somebody is there and decides about each request, be it against it.",
  },
  fails: {
    what: `counts: the breaker opens with ${OPEN_AFTER_FAILURES} in a row that were not all under way at once, or with ${FAILING_PERCENT} % of at least ${FAILING_ATTEMPTS} attempts within ${FAILING_WITHIN_SECONDS} s`,
    why: "Nobody is there, or nobody who can do anything; more requests cost attempts and make it worse.",
  },
  throttles: {
    what: "neither counts nor ends the row; a probe that gets it is repeated after the same pause",
    why: "The receiver is well and asks for fewer requests, which each delivery's own pause gives it.",
  },
  none: { what: "nothing", why: "It says nothing of the endpoint." },
};

/** What the states mean, for people. */
export const BREAKER_MEANINGS: Readonly<Record<BreakerState, string>> = {
  closed: "Deliveries are sent.",
  open: "It failed again and again: nothing is sent for a while. What is queued waits, and loses no attempt.",
  half_open: "One delivery tries whether it is back; the others wait for what comes of it.",
};
