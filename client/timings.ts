import type { Attempt } from "#contracts/deliveries.ts";

export interface Phase {
  name: "dns" | "connect" | "tls" | "first_byte" | "rest";
  label: string;
  ms: number;
}

/**
 * The phases that were gone through, in their order, with what is left of the total as the last one.
 * A reused connection has no dns, connect or tls.
 */
export function phasesOf(timings: NonNullable<Attempt["timings_ms"]>): Phase[] {
  const measured: { name: Phase["name"]; label: string; ms: number | null }[] = [
    { name: "dns", label: "DNS", ms: timings.dns },
    { name: "connect", label: "Connect", ms: timings.connect },
    { name: "tls", label: "TLS", ms: timings.tls },
    { name: "first_byte", label: "First byte", ms: timings.first_byte },
  ];
  const phases = measured.flatMap(({ name, label, ms }): Phase[] =>
    ms === null ? [] : [{ name, label, ms }],
  );
  const restMs = timings.total - phases.reduce((sum, phase) => sum + phase.ms, 0);
  // Less than half of the smallest unit that is shown is rounding.
  if (restMs >= 0.05)
    phases.push({ name: "rest", label: timings.first_byte === null ? "Waiting" : "Rest", ms: restMs });
  return phases;
}
