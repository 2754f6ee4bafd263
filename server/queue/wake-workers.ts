import type { Tx } from "#db/client.ts";

/** Said when nothing but fresh work has come: nobody need look for replays and into the queues of ordered endpoints. */
export const FRESH_ONLY = "fresh";

/** Wakes all workers, with `FRESH_ONLY` for fresh work alone: now, or as soon as `tx` has committed, and perhaps if it has not. */
export type WakeWorkers = (only?: typeof FRESH_ONLY, tx?: Tx) => void;

/** What wakes the workers of this very process: where there is a transaction, when it has committed. */
export const onCommit =
  (wake: (only?: typeof FRESH_ONLY) => void): WakeWorkers =>
  (only, tx) => {
    if (tx) tx.afterCommit(() => wake(only));
    else wake(only);
  };
