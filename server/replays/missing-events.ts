import { uuidFloor } from "#contracts/ids.ts";
import type { Conn } from "#db/client.ts";
import { lookAtEvents } from "#db/queries/replay-selection.ts";
import type { ReplayTarget } from "#db/queries/replays.ts";
import { matches, parseFilter } from "../domain/filter.ts";
import { type EventRange, typePatterns } from "../domain/replays.ts";

/** A part of the events of a range, looked through. */
export interface MissingEvents {
  /** Those that the endpoint should have got and has no delivery of, in the order of their ids. */
  missing: { id: string; type: string }[];
  /** The last event that was looked at; `undefined` when no more were left. */
  last: string | undefined;
}

const LOOK_AT_ONCE = 1_000;
/** Where every body has to be read. */
const LOOK_AT_ONCE_FILTERED = 200;
/** Clocks of two processes may differ a little: a delivery may seem older than its event. */
const SKEW_MS = 60_000;

/** Looks at the next events of a range for those that never made a delivery to an endpoint. */
export async function lookForMissing(
  conn: Conn,
  of: { tenantId: string; target: ReplayTarget; range: EventRange; after: string },
): Promise<MissingEvents> {
  const { tenantId, target, range, after } = of;
  const parsed = target.filter === null ? undefined : parseFilter(target.filter);
  // A filter that cannot be read holds, as it does when an event is published.
  const filter = parsed?.ok ? parsed.filter : undefined;
  const limit = filter ? LOOK_AT_ONCE_FILTERED : LOOK_AT_ONCE;
  const looked = await lookAtEvents(
    conn,
    {
      tenantId,
      endpointId: target.id,
      afterId: after,
      from: range.from,
      to: range.to,
      typePatterns: typePatterns(target.eventTypes),
      firstDeliveryId: uuidFloor(range.from.getTime() - SKEW_MS),
      withBody: filter !== undefined,
    },
    limit,
  );
  const passes = (body: string | null) => !filter || matches(filter, dataOf(body));
  return {
    missing: looked.filter(({ missing, body }) => missing && passes(body)),
    last: looked.at(-1)?.id,
  };
}

const dataOf = (body: string | null): unknown => (JSON.parse(body ?? "{}") as { data?: unknown }).data;
