import type { Attempt, Delivery } from "#contracts/deliveries.ts";

/** One thing on the timeline of a delivery. */
export type TimelineItem =
  | { kind: "next"; at: string | null; number: number; isRunning: boolean }
  | { kind: "attempt"; attempt: Attempt; waitedMs: number | null }
  | { kind: "created"; at: string };

/**
 * What happened to a delivery, newest first: the attempt that runs or comes next, those made (each with how long
 * after the one before it began), and the event that started it all. Pure.
 */
export function timelineOf(delivery: Delivery, attempts: readonly Attempt[]): TimelineItem[] {
  const inOrder = [...attempts].sort((a, b) => a.number - b.number);
  const made = inOrder.map((attempt, index): TimelineItem => {
    const before = inOrder[index - 1]?.started_at ?? delivery.created_at;
    const waitedMs = Date.parse(attempt.started_at) - Date.parse(before);
    return { kind: "attempt", attempt, waitedMs: waitedMs >= 0 ? waitedMs : null };
  });
  const next = nextOf(delivery, inOrder.at(-1)?.number ?? 0);
  return [{ kind: "created", at: delivery.created_at } as const, ...made, ...next].reverse();
}

function nextOf(delivery: Delivery, lastNumber: number): TimelineItem[] {
  const number = delivery.attempts + 1;
  // The attempts were read after the delivery, and what it still plans has happened.
  if (lastNumber >= number) return [];
  if (delivery.status === "in_flight") return [{ kind: "next", at: null, number, isRunning: true }];
  if (delivery.status === "pending")
    return [{ kind: "next", at: delivery.next_attempt_at, number, isRunning: false }];
  return [];
}
