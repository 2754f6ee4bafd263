/** Said when nothing but fresh work has come: nobody need look for replays and into the queues of ordered endpoints. */
export const FRESH_ONLY = "fresh";

/** Wakes all workers; with `FRESH_ONLY` for fresh work alone. */
export type WakeWorkers = (only?: typeof FRESH_ONLY) => void;
