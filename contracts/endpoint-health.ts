/** After so long without one success an endpoint is disabled, in hours; `RETRY_SCALE` multiplies it. */
export const DISABLE_AFTER_HOURS = 120;
/** … if so many attempts have failed meanwhile. */
export const DISABLE_AFTER_FAILURES = 10;
/** After so many refusals by the address policy in a row an endpoint is disabled. */
export const DISABLE_AFTER_BLOCKED = 3;
/** How far on the way to being disabled an endpoint's owner is warned, in percent. */
export const WARNINGS = [50, 75] as const;
export type Warning = (typeof WARNINGS)[number];

export const DISABLE_REASONS = ["failing", "blocked_address", "gone"] as const;
export type DisableReason = (typeof DISABLE_REASONS)[number];

/** When the platform disables an endpoint by itself, and why. Code, documentation and console read this one table. */
export const DISABLE_TABLE: Readonly<Record<DisableReason, { when: string; why: string }>> = {
  failing: {
    when: `${DISABLE_AFTER_HOURS} hours without one success, and at least ${DISABLE_AFTER_FAILURES} failed attempts`,
    why: "Nobody seems to be there any more.",
  },
  blocked_address: {
    when: `${DISABLE_AFTER_BLOCKED} attempts in a row that the address policy refused`,
    why: "The host leads to an address that may not be called.",
  },
  gone: { when: "an answer 410", why: "The receiver says that the address is gone for good." },
};

/** Why an endpoint is disabled, as one sentence; null is a person's doing. */
export function explainDisabled(reason: string | null): string {
  if (reason === null) return "Somebody has disabled it.";
  if (!Object.hasOwn(DISABLE_TABLE, reason)) return `It was disabled by itself (${reason}).`;
  const { when, why } = DISABLE_TABLE[reason as DisableReason];
  return `It was disabled by itself, after ${when}. ${why}`;
}
