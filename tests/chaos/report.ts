import type { Evidence } from "./evidence.ts";
import type { Violation } from "./invariants/invariants.ts";
import type { Fault } from "./plan.ts";

const SHOWN = 8;

/** What is wrong with a run, where it is kept and `again`, the command that repeats it; empty when all is well. */
export function reportOf(
  violations: readonly Violation[],
  { plan, kept, again }: { plan: readonly Fault[]; kept: string; again: string },
): string {
  if (violations.length === 0) return "";
  const found = violations.map(({ invariant, problems }) =>
    [
      `Violated: ${invariant} (${problems.length})`,
      ...problems.slice(0, SHOWN).map((problem) => `  ${problem}`),
    ].join("\n"),
  );
  const told = plan.map(tell).join("\n");
  return [...found, told, `Logs and evidence: ${kept}`, `Repeat: ${again}`].join("\n\n");
}

const tell = ({ atMs, kind, target, forMs }: Fault) =>
  `  ${(atMs / 1000).toFixed(1).padStart(5)} s  ${kind}, number ${target}, for ${(forMs / 1000).toFixed(1)} s`;

/** The size of a run in one line. */
export function summaryOf({ accepted, deliveries, arrivals, tries, faults }: Evidence): string {
  const lost = tries.filter(({ outcome }) => outcome === "lost").length;
  return `${accepted.length} events accepted, ${deliveries.length} deliveries, ${arrivals.length} requests, ${lost} tries lost, ${faults.length} faults`;
}
