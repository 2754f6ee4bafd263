import { isOperational, OPERATIONAL_PREFIX } from "#contracts/operational-events.ts";

/**
 * Whether an endpoint's `event_types` (exact names, `*`, or prefixes that end in `*`) cover an event type. Events about
 * Posthorn itself are covered only where they are asked for: who takes in everything that happens in a business should not
 * get news of its own deliveries among it.
 */
export function subscribes(eventTypes: readonly string[], type: string): boolean {
  return eventTypes.some((wanted) => {
    if (!wanted.endsWith("*")) return wanted === type;
    return (
      type.startsWith(wanted.slice(0, -1)) && (!isOperational(type) || wanted.startsWith(OPERATIONAL_PREFIX))
    );
  });
}
