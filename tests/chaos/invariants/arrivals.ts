import type { Arrival, Evidence } from "../evidence.ts";

/** Nothing comes to anybody but the endpoint it is for, signed with the secret of that one, with the event as it is kept. */
export function nobodyElseGetsIt({ arrivals, deliveries, endpoints, stored, tenants }: Evidence): string[] {
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const bodyOf = new Map(stored.map((event) => [event.id, event.body]));
  const nameOf = new Map(tenants.map(({ id, name }) => [id, name]));
  return arrivals.flatMap((arrival) => {
    const endpoint = endpointOf.get(arrival.endpointId);
    const delivery = deliveryOf.get(arrival.deliveryId);
    const wrong = (what: string) => [
      `delivery ${arrival.deliveryId} came to the ${endpoint?.manner} endpoint ${arrival.endpointId} of ${nameOf.get(endpoint?.tenantId ?? "")}: ${what}`,
    ];
    if (!endpoint) return wrong("there is no such endpoint");
    if (delivery && delivery.endpointId !== endpoint.id) return wrong(`it is for ${delivery.endpointId}`);
    if (delivery && delivery.tenantId !== endpoint.tenantId) return wrong("it is another tenant's");
    const owner = ownerOf(arrival);
    if (owner !== undefined && owner !== nameOf.get(endpoint.tenantId))
      return wrong(`its content is ${owner}'s`);
    if (arrival.distrust) return wrong(`it is not to be believed: ${arrival.distrust}`);
    const body = delivery && bodyOf.get(delivery.eventId);
    return body === undefined || body === arrival.body ? [] : wrong("its bytes are not those of the event");
  });
}

/** The tenant that the publisher has written into what it published. */
function ownerOf({ body }: Arrival): string | undefined {
  return /"data":\{"tenant":"(\w+)"/.exec(body)?.[1];
}

/** A try is one request. */
export function oneRequestATry({ arrivals }: Evidence): string[] {
  const tries = Map.groupBy(
    arrivals,
    ({ deliveryId, attempt }) => `try ${attempt} of delivery ${deliveryId}`,
  );
  return [...tries]
    .filter(([, same]) => same.length > 1)
    .map(([name, same]) => `${name} came ${same.length} times`);
}

/** To an ordered endpoint nothing comes for the first time before all that was published before it is over there. */
export function orderIsKept({ arrivals, deliveries, endpoints, stored }: Evidence): string[] {
  const arrivalsOf = Map.groupBy(arrivals, ({ deliveryId }) => deliveryId);
  const sequenceOf = new Map(stored.map(({ id, sequence }) => [id, sequence]));
  return endpoints
    .filter(({ manner }) => manner === "ordered")
    .flatMap(({ id }) => {
      const inOrder = deliveries
        .filter(({ endpointId }) => endpointId === id)
        .map((delivery) => ({ id: delivery.id, sequence: sequenceOf.get(delivery.eventId) ?? 0 }))
        .toSorted((a, b) => a.sequence - b.sequence);
      return overtakings(inOrder.map((each) => ({ ...each, arrivals: arrivalsOf.get(each.id) ?? [] })));
    });
}

interface Placed {
  id: string;
  sequence: number;
  arrivals: readonly Arrival[];
}

function overtakings(inOrder: readonly Placed[]): string[] {
  const problems: string[] = [];
  let latest = { over: -1, sequence: 0 };
  for (const { id, sequence, arrivals } of inOrder) {
    const [first] = arrivals;
    if (!first) continue;
    if (first.tick < latest.over)
      problems.push(`${sequence} (delivery ${id}) came before ${latest.sequence} was over`);
    const over = overAt(arrivals);
    if (over > latest.over) latest = { over, sequence };
  }
  return problems;
}

/** When a delivery was over for its receiver: with the first answer that settles it, or else with the last request. */
function overAt(arrivals: readonly Arrival[]): number {
  const settled = arrivals.flatMap(({ status, answeredTick }) =>
    answeredTick !== null && status !== null && (status < 300 || status === 400) ? [answeredTick] : [],
  );
  return settled.length > 0 ? Math.min(...settled) : (arrivals.at(-1)?.tick ?? -1);
}
