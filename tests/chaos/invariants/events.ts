import { subscribes } from "#server/domain/subscription.ts";
import type { Evidence, StoredEvent } from "../evidence.ts";

/** Every event whose publication was acknowledged is there, with the content that was published. */
export function acceptedIsStored({ accepted, stored }: Evidence): string[] {
  const byId = new Map(stored.map((event) => [event.id, event]));
  return accepted.flatMap(({ id, tenantId, data }) => {
    const found = byId.get(id);
    if (!found) return [`event ${id} of tenant ${tenantId} was acknowledged and is not there`];
    if (found.tenantId !== tenantId) return [`event ${id} of tenant ${tenantId} is with ${found.tenantId}`];
    return found.body.includes(`"data":${data}`)
      ? []
      : [`event ${id} has another content than was published`];
  });
}

/** Each event has one delivery for each endpoint that subscribes to it, and no other. */
export function everyoneIsServed({ stored, deliveries, endpoints }: Evidence): string[] {
  const byEvent = Map.groupBy(deliveries, ({ eventId }) => eventId);
  const events = new Set(stored.map(({ id }) => id));
  const orphans = deliveries.filter(({ eventId }) => !events.has(eventId));
  return [
    ...orphans.map(({ id, eventId }) => `delivery ${id} is of event ${eventId}, which is not there`),
    ...stored.flatMap((event) => {
      const got = (byEvent.get(event.id) ?? []).map(({ endpointId }) => endpointId);
      const twice = got.filter((id, at) => got.indexOf(id) !== at);
      const wanted = endpoints.filter(
        (each) => each.tenantId === event.tenantId && wants(each.eventTypes, event),
      );
      const missing = wanted.filter(({ id, manner }) => manner !== "gone" && !got.includes(id));
      const uncalled = got.filter((id) => !wanted.some((each) => each.id === id));
      return [
        ...twice.map((id) => `event ${event.id} has two deliveries for endpoint ${id}`),
        ...missing.map(
          ({ id, manner }) => `event ${event.id} has no delivery for the ${manner} endpoint ${id}`,
        ),
        ...uncalled.map(
          (id) => `event ${event.id} has a delivery for endpoint ${id}, which does not want it`,
        ),
      ];
    }),
  ];
}

const wants = (eventTypes: string[], { type }: StoredEvent) => subscribes(eventTypes, type);

/** Who reads a feed from its beginning gets every event once, by a sequence without gaps. */
export function feedIsWhole({ tenants, stored, feeds }: Evidence): string[] {
  return tenants.flatMap(({ id: tenantId, name }) => {
    const events = stored.filter((event) => event.tenantId === tenantId);
    const read = feeds.find((feed) => feed.tenantId === tenantId)?.events ?? [];
    const problems = read.flatMap(({ id, sequence }, at) => {
      const due = (read[at - 1]?.sequence ?? 0) + 1;
      if (sequence === due) return [];
      return [`the feed of ${name} goes on with ${sequence} (${id}) where ${due} was due`];
    });
    const seen = new Set(read.map(({ id }) => id));
    const known = new Set(events.map(({ id }) => id));
    return [
      ...problems,
      ...events
        .filter(({ id }) => !seen.has(id))
        .map(({ id, sequence }) => `the feed of ${name} has left out ${sequence} (${id})`),
      ...read
        .filter(({ id }) => !known.has(id))
        .map(({ id }) => `the feed of ${name} has told of ${id}, which is not there`),
    ];
  });
}

/** Publishers are told 503 while something is away, and never that they are wrong or that we are broken. */
export function refusalsAreHonest({ refusals }: Evidence): string[] {
  return [...refusals];
}
