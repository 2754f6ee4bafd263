import { BoundedCache } from "../bounded-cache.ts";
import { type Filter, matches, parseFilter } from "../domain/filter.ts";
import { subscribes } from "../domain/subscription.ts";

/** An endpoint that takes part in fan-out. */
export interface Subscriber {
  id: string;
  eventTypes: string[];
  /** JSON text of its content filter. */
  filter: string | null;
}

/** Finds the endpoints that an event goes to. Its `data`, JSON text, is read at most once, and only if a filter asks. */
export function recipients<S extends Subscriber>(
  subscribers: readonly S[],
  event: { type: string; data: string },
): S[] {
  let data: { value: unknown } | undefined;
  return subscribers.filter((endpoint) => {
    if (!subscribes(endpoint.eventTypes, event.type)) return false;
    if (endpoint.filter === null) return true;
    data ??= { value: JSON.parse(event.data) };
    const filter = filterOf(endpoint.filter);
    return filter === undefined || matches(filter, data.value);
  });
}

const MAX_CHARACTERS = 4 * 1024 * 1024;
const filters = new BoundedCache<Filter | undefined>(MAX_CHARACTERS);

/** A stored filter; `undefined` for one that nobody can read any more, which then holds nothing back. */
function filterOf(text: string): Filter | undefined {
  return filters.get(text, text.length, () => {
    const parsed = parseFilter(JSON.parse(text));
    return parsed.ok ? parsed.filter : undefined;
  });
}
