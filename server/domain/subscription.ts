/** Whether an endpoint's `event_types` (exact names, `*`, or prefixes that end in `*`) cover an event type. */
export function subscribes(eventTypes: readonly string[], type: string): boolean {
  return eventTypes.some((wanted) =>
    wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : wanted === type,
  );
}
