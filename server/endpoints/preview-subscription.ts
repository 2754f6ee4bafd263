import { PREVIEWED_EVENTS, type Preview, type PreviewResult } from "#contracts/endpoint-preview.ts";
import { toId } from "#contracts/ids.ts";
import { lastEvents } from "#db/queries/events.ts";
import { boundedRead } from "../bounded-read.ts";
import type { Ctx } from "../context.ts";
import { matches, parseFilter } from "../domain/filter.ts";
import { subscribes } from "../domain/subscription.ts";
import { checkSettings } from "./store-settings.ts";

const MAX_BYTES = 8 * 1024 * 1024;

/** Which of the last events an endpoint with these settings would get. Throws `validation-error` for a bad filter. */
export async function previewSubscription(
  ctx: Pick<Ctx, "db" | "tenantId">,
  { event_types: eventTypes, filter: wanted }: Preview,
): Promise<PreviewResult> {
  checkSettings({ headers: {}, filter: wanted });
  const parsed = wanted === null ? null : parseFilter(wanted);
  const passes = (body: string) => !parsed?.ok || matches(parsed.filter, JSON.parse(body).data);
  const last = { tenantId: ctx.tenantId, count: PREVIEWED_EVENTS, maxBytes: MAX_BYTES };
  const events = await boundedRead(ctx.db, (conn) => lastEvents(conn, last));
  const items = events.map(({ id, type, body, createdAt }) => ({
    id: toId("event", id),
    type,
    timestamp: createdAt.toISOString(),
    matches: subscribes(eventTypes, type) && passes(body),
  }));
  return { looked_at: items.length, matched: items.filter((item) => item.matches).length, items };
}
