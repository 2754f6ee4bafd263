import type * as z from "zod";
import {
  expungeEventData,
  getEvent,
  listEvents,
  NewEvent,
  type PublishResult,
  publishEvent,
  publishEvents,
} from "#contracts/events.ts";
import { fromId, toId } from "#contracts/ids.ts";
import { DEFAULT_LIMIT, MAX_FEED_LIMIT } from "#contracts/page.ts";
import { getEvents } from "#db/queries/events.ts";
import type { Ctx } from "#server/context.ts";
import { pointer } from "#server/domain/json-pointer.ts";
import { AppError, validationError } from "#server/errors.ts";
import { expungeEvent } from "#server/events/expunge-event.ts";
import {
  type EventInput,
  type Published,
  publishEvents as storeEvents,
} from "#server/events/publish-events.ts";
import { readFeed } from "#server/events/read-feed.ts";
import { readNewest } from "#server/events/read-newest.ts";
import { tellPublished } from "#server/events/tell-published.ts";
import { type CursorBinding, decodeCursor, encodeCursor } from "../cursor.ts";
import { issuesOf } from "../input.ts";
import type { RawItem } from "../json/json-source.ts";
import { pageLinks } from "../list-route.ts";
import { RawJson } from "../message.ts";
import { problemOf } from "../problem.ts";
import { MAX_BODY_BYTES, route } from "../route.ts";

const find = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("event", params.id);
  return id === undefined ? undefined : (await getEvents(ctx.db, ctx.tenantId, [id]))[0];
};

/** One event of a batch, checked by itself. */
function readItem(value: unknown, item: RawItem | undefined, index: number): EventInput | AppError {
  const path = ["events", index];
  if (item && item.end - item.start > MAX_BODY_BYTES)
    return validationError([{ detail: `must be at most ${MAX_BODY_BYTES} bytes`, pointer: pointer(path) }]);
  const parsed = NewEvent.safeParse(value);
  if (!parsed.success) return validationError(issuesOf(parsed.error, path));
  return { id: parsed.data.id, type: parsed.data.type, data: item?.member ?? "", path };
}

/** Publishes together with what else comes in, where the request asks for no transaction of its own. */
async function publish(ctx: Ctx, inputs: readonly (EventInput | AppError)[], atomic: boolean) {
  const beganAt = performance.now();
  const outcomes =
    ctx.idempotent || atomic
      ? await storeEvents(ctx, inputs, { atomic })
      : await ctx.publishLanes.publish(ctx, inputs);
  ctx.afterCommit(() => tellPublished(ctx, outcomes, { beganAt }));
  return outcomes;
}

function toResult(outcome: Published | AppError, ctx: Ctx): PublishResult {
  if (!(outcome instanceof AppError))
    return { status: outcome.created ? 201 : 200, id: toId("event", outcome.id) };
  const problem = problemOf(outcome, ctx);
  return { status: problem.status, problem };
}

const expired = (oldest_cursor: string) =>
  new AppError("events-expired", "Events after this position have passed their retention.", {
    members: { oldest_cursor },
  });

const bindingOf = (ctx: Ctx, filters: object): CursorBinding => ({
  tenantId: ctx.tenantId,
  principalId: ctx.actor.principalId,
  list: `listEvents:${MAX_FEED_LIMIT}`,
  filters,
});

function refuseTogether(how: string, parameters: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) throw new AppError("invalid-parameter", `${name}: cannot be used ${how}.`);
}

/** A page of the events from the newest back. */
async function listNewest(
  ctx: Ctx,
  query: z.output<typeof listEvents.query>,
  { path, search }: { path: string; search: string },
) {
  const { limit = DEFAULT_LIMIT, after, wait, ...filters } = query;
  refuseTogether("with order=desc", { wait });
  const binding = bindingOf(ctx, filters);
  const before = after === undefined ? null : decodeCursor(ctx.keyring, binding, after, ctx.now()).at[0];
  const page = await readNewest(ctx, {
    tenantId: ctx.tenantId,
    before: before ?? null,
    types: filters.type === undefined ? null : [filters.type].flat(),
    from: filters.from ?? null,
    to: filters.to ?? null,
    limit,
  });
  const next_cursor = page.hasMore
    ? encodeCursor(ctx.keyring, binding, { at: [page.next], backward: true }, null)
    : null;
  const rest = JSON.stringify({ next_cursor, prev_cursor: null, has_more: page.hasMore });
  return {
    body: new RawJson(`{"items":[${page.bodies.join(",")}],${rest.slice(1)}`),
    ...pageLinks({ next_cursor, prev_cursor: null }, path, search),
  };
}

export const eventRoutes = [
  route(publishEvent, {
    unread: ["data"],
    async handle(ctx, { body, source }) {
      const data = source.member("data") ?? "";
      const [event] = await publish(ctx, [{ id: body.id, type: body.type, data, path: [] }], false);
      if (event === undefined || event instanceof AppError) throw event ?? new Error("no outcome");
      return {
        status: event.created ? 201 : 200,
        body: new RawJson(event.body),
        location: `/events/${toId("event", event.id)}`,
      };
    },
  }),
  route(publishEvents, {
    unread: ["events", "*", "data"],
    async handle(ctx, { body, query, source }) {
      const items = source.items("events", "data");
      const inputs = body.events.map((value, index) => readItem(value, items[index], index));
      const outcomes = await publish(ctx, inputs, query.atomic === "true");
      return { body: { results: outcomes.map((outcome) => toResult(outcome, ctx)) } };
    },
  }),
  route(getEvent, { find, handle: async (_ctx, { found }) => ({ body: new RawJson(found.body) }) }),
  route(expungeEventData, {
    find,
    async handle(ctx, { found }) {
      await expungeEvent(ctx, found);
      return {};
    },
  }),
  route(listEvents, {
    async handle(ctx, { query, path, search, signal }) {
      if (query.order === "desc") return listNewest(ctx, query, { path, search });
      refuseTogether("without order=desc", { from: query.from, to: query.to });
      const { limit = DEFAULT_LIMIT, after, wait = 0, type } = query;
      const binding = bindingOf(ctx, { type });
      const start = after === undefined ? null : decodeCursor(ctx.keyring, binding, after, ctx.now()).at[0];
      const types = type === undefined ? null : [type].flat();
      const request = { tenantId: ctx.tenantId, after: start ?? null, types, limit, waitMs: wait * 1000 };
      const page = await readFeed(ctx, request, signal);
      // No expiry: the position stays good as long as the events after it are kept.
      const cursor = (sequence: string) =>
        encodeCursor(ctx.keyring, binding, { at: [sequence], backward: false }, null);
      if ("oldest" in page) throw expired(cursor(page.oldest));
      const next_cursor = cursor(page.next);
      const rest = JSON.stringify({ next_cursor, prev_cursor: null, has_more: page.hasMore });
      return {
        body: new RawJson(`{"items":[${page.bodies.join(",")}],${rest.slice(1)}`),
        ...pageLinks({ next_cursor, prev_cursor: null }, path, search),
      };
    },
  }),
];
