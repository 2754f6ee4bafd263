import { deleteEventType, getEventType, listEventTypes, putEventType } from "#contracts/event-types.ts";
import type { EventTypeRow, ListedEventTypeRow } from "#db/queries/event-types.ts";
import type { Ctx } from "#server/context.ts";
import { validationError } from "#server/errors.ts";
import { deleteEventType as removeEventType } from "#server/event-types/delete-event-type.ts";
import { findEventType } from "#server/event-types/find-event-type.ts";
import { listEventTypes as readEventTypes } from "#server/event-types/list-event-types.ts";
import { checkEventType, putEventType as defineEventType } from "#server/event-types/put-event-type.ts";
import { toEventType } from "#server/event-types/to-event-type.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

const find = (ctx: Ctx, { name }: { name: string }) => findEventType(ctx.db, ctx.tenantId, name);

/** The type, or that there is none: a definition is for either. */
const findAny = async (ctx: Ctx, params: { name: string }) =>
  (await find(ctx, params)) ?? { name: params.name };

const shown = (type: EventTypeRow) => ({ body: toEventType(type), version: type.version });

export const eventTypeRoutes = [
  listRoute(listEventTypes, {
    read: (conn, ctx, _input, page) => readEventTypes(conn, ctx.tenantId, page),
    position: (type: ListedEventTypeRow) => [type.createdPosition, type.name],
    show: toEventType,
  }),
  route(getEventType, { find, handle: async (_ctx, { found }) => shown(found) }),
  route(putEventType, {
    find: findAny,
    async handle(ctx, { params: { name }, query, body, source, expectedVersions, mustExist }) {
      if (body.name !== undefined && body.name !== name)
        throw validationError([{ detail: "must be that of the path", pointer: "#/name" }]);
      const content = {
        description: body.description ?? null,
        schema: (body.schema ?? null) === null ? null : (source.member("schema") ?? null),
        example: (body.example ?? null) === null ? null : (source.member("example") ?? null),
        deprecated: body.deprecated,
      };
      const location = `/event-types/${name}`;
      if (query.dry_run === "true") {
        checkEventType(name, content);
        const at = ctx.now();
        const type = { ...content, name, version: "0", createdAt: at, updatedAt: at };
        return { status: 200, body: toEventType(type), location };
      }
      const { type, isNew } = await defineEventType(ctx, { name, expectedVersions, mustExist }, content);
      return { status: isNew ? 201 : 200, body: toEventType(type), location };
    },
  }),
  route(deleteEventType, {
    find,
    async handle(ctx, { found, expectedVersions }) {
      await removeEventType(ctx, found, expectedVersions);
      return {};
    },
  }),
];
