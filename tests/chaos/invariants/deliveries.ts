import type { Arrival, DeliveryEnd, Evidence } from "../evidence.ts";

/** Nothing is pending when faults have ended and there was time to come round. */
export function everythingEnds({ deliveries, endpoints }: Evidence): string[] {
  const mannerOf = new Map(endpoints.map(({ id, manner }) => [id, manner]));
  return deliveries
    .filter(({ status }) => status === "pending")
    .map(
      ({ id, endpointId, attempts }) =>
        `delivery ${id} to the ${mannerOf.get(endpointId)} endpoint is still pending after ${attempts} tries`,
    );
}

/** How each delivery ended is what its receiver has seen: delivered is what was accepted, failed what could not be. */
export function endsAreTrue({ deliveries, arrivals, endpoints }: Evidence): string[] {
  const arrivalsOf = Map.groupBy(arrivals, ({ deliveryId }) => deliveryId);
  const mannerOf = new Map(endpoints.map(({ id, manner }) => [id, manner]));
  return deliveries.flatMap((delivery) => {
    const untrue = untruth(delivery, arrivalsOf.get(delivery.id) ?? [], mannerOf.get(delivery.endpointId));
    return untrue ? [`delivery ${delivery.id} is ${delivery.status}, but ${untrue}`] : [];
  });
}

function untruth(
  { status, failureClass, failureReason }: DeliveryEnd,
  arrivals: readonly Arrival[],
  manner: string | undefined,
): string | undefined {
  const wasAnswered = (from: number, to: number) =>
    arrivals.some((arrival) => arrival.status !== null && arrival.status >= from && arrival.status <= to);
  if (status === "pending") return undefined;
  if (status === "delivered") return wasAnswered(200, 299) ? undefined : "no receiver has accepted it";
  if (status === "cancelled") return manner === "gone" ? undefined : `its endpoint is ${manner}`;
  if (status !== "failed") return "nobody has asked for that";
  if (failureClass === "permanent") return wasAnswered(400, 400) ? undefined : "no receiver has refused it";
  if (failureClass === "gone") return wasAnswered(410, 410) ? undefined : "no receiver was gone";
  // It took its workers with it three times in a row, as far as anybody could know.
  if (failureReason === "worker_lost") return undefined;
  return manner === "failing" ? undefined : `its endpoint is ${manner} (${failureClass}, ${failureReason})`;
}

/** The log has every try of a delivery once, numbered without gaps, and every request that a receiver got is in it. */
export function logIsComplete({ deliveries, tries, arrivals }: Evidence): string[] {
  const triesOf = Map.groupBy(tries, ({ deliveryId }) => deliveryId);
  const problems = deliveries.flatMap(({ id, attempts }) => {
    const numbers = (triesOf.get(id) ?? []).map(({ number }) => number).toSorted((a, b) => a - b);
    const isWhole = numbers.length === attempts && numbers.every((number, at) => number === at + 1);
    return isWhole
      ? []
      : [`delivery ${id} counts ${attempts} tries, and the log has ${numbers.join(", ") || "none"}`];
  });
  const known = new Set(deliveries.map(({ id }) => id));
  const strangers = tries.filter(({ deliveryId }) => !known.has(deliveryId));
  // The last try of what is still pending may be under way.
  const ended = deliveries.filter(({ status }) => status !== "pending");
  const counted = new Map(ended.map(({ id, attempts }) => [id, attempts]));
  const unlogged = arrivals.filter(
    ({ deliveryId, attempt }) => attempt > (counted.get(deliveryId) ?? attempt),
  );
  return [
    ...problems,
    ...strangers.map(({ deliveryId }) => `a try of ${deliveryId}, which is not there`),
    ...unlogged.map(
      ({ deliveryId, attempt }) =>
        `delivery ${deliveryId} arrived with try ${attempt}, which was never logged`,
    ),
  ];
}

/** What has ended stays as it is; only what was cancelled during a request may still get its answer. */
export function endsAreFinal({ reopenings }: Evidence): string[] {
  return reopenings
    .filter(({ was, became }) => was !== "cancelled" || became === "pending")
    .map(
      ({ deliveryId, was, became }) => `delivery ${deliveryId} was ${was} and was written again as ${became}`,
    );
}

/** How long after a fault its effects may begin. */
const AFTERMATH_MS = 20_000;

/**
 * A delivery is sent again after an answer that settles it only where that try was given up as lost, and tries are given up
 * only where something was broken: at some time between when it was sent, or could have been, and when its loss was found. A
 * busy machine may take long to find it.
 */
export function repeatsAreExplained({ tries, faults, deliveries, arrivals }: Evidence): string[] {
  const wasBroken = (from: number, to: number) =>
    faults.some((fault) => to >= fault.from - 1_000 && from <= fault.to + AFTERMATH_MS);
  const nameOf = (deliveryId: string, number: number) => `${deliveryId} ${number}`;
  const sentAt = new Map(arrivals.toReversed().map((one) => [nameOf(one.deliveryId, one.attempt), one.at]));
  const endedAt = new Map(tries.map((one) => [nameOf(one.deliveryId, one.number), one.startedAt]));
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  return tries.flatMap(({ deliveryId, number, outcome, nextAttemptAt, startedAt: foundAt }) => {
    const delivery = known.get(deliveryId);
    const since =
      sentAt.get(nameOf(deliveryId, number)) ??
      endedAt.get(nameOf(deliveryId, number - 1)) ??
      delivery?.createdAt ??
      foundAt;
    if (outcome === "lost")
      return wasBroken(since, foundAt)
        ? []
        : [`try ${number} of delivery ${deliveryId} was lost while nothing was broken`];
    const isRepeated = outcome === "ok" && number < (delivery?.attempts ?? 0);
    return isRepeated && nextAttemptAt === null
      ? [`delivery ${deliveryId} was sent again after its try ${number} had been accepted and written down`]
      : [];
  });
}
