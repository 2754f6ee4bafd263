import type { SubscriberRow } from "#db/queries/endpoints.ts";
import { BoundedCache } from "../bounded-cache.ts";
import { type Filter, matches, parseFilter } from "../domain/filter.ts";
import { subscribes } from "../domain/subscription.ts";

/** Finds the endpoints that an event goes to. Its `data`, JSON text, is read at most once, and only if a filter asks. */
export function recipients(
  subscribers: readonly SubscriberRow[],
  event: { type: string; data: string },
): SubscriberRow[] {
  let data: { value: unknown } | undefined;
  return subscribers.filter((endpoint) => {
    if (!subscribes(endpoint.eventTypes, event.type)) return false;
    if (endpoint.filter === null) return true;
    data ??= { value: JSON.parse(event.data) };
    return matches(filterOf(endpoint.filter), data.value);
  });
}

const MAX_CHARACTERS = 4 * 1024 * 1024;
const filters = new BoundedCache<Filter>(MAX_CHARACTERS);

/** What a filter means that nobody can read any more: it holds nothing back. */
const EVERYTHING: Filter = { kind: "all", of: [] };

function filterOf(text: string): Filter {
  const kept = filters.get(text);
  if (kept) return kept;
  const parsed = parseFilter(JSON.parse(text));
  const filter = parsed.ok ? parsed.filter : EVERYTHING;
  filters.set(text, filter, text.length);
  return filter;
}
