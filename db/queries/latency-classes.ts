import { LATENCY_BOUNDS_MS } from "#contracts/endpoint-stats.ts";

/** The places of the classes of latency in a stored array, from 1 on. */
export const CLASSES = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, (_, index) => index + 1);

/** What rows of counts come to, as SQL. */
export const COUNTS_SUMMED = `sum(attempts)::int as attempts, sum(succeeded)::int as succeeded,
  array[${CLASSES.map((n) => `sum(latencies[${n}])::int`).join(", ")}] as latencies`;

/** The same as text, for who reads many rows: the driver takes as long to read an array as the database for the rest. */
export const COUNTS_SUMMED_AS_TEXT = COUNTS_SUMMED.replace("] as latencies", "]::text as latencies");

/** Rows of `COUNTS_SUMMED_AS_TEXT` with their latencies read. */
export const withLatencies = <R extends { latencies: string }>(rows: readonly R[]) =>
  rows.map((row) => ({ ...row, latencies: JSON.parse(`[${row.latencies.slice(1, -1)}]`) as number[] }));
