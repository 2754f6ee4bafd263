import { deleteEventType, getEventType, listEventTypes, putEventType } from "#contracts/event-types.ts";
import type { ListedEventTypeRow } from "#db/queries/event-types.ts";
import type { Ctx } from "#server/context.ts";
import { validationError } from "#server/errors.ts";
import { deleteEventType as removeEventType } from "#server/event-types/delete-event-type.ts";
import { findEventType } from "#server/event-types/find-event-type.ts";
import { listEventTypes as readEventTypes } from "#server/event-types/list-event-types.ts";
import { checkEventType, putEventType as defineEventType } from "#server/event-types/put-event-type.ts";
import { toEventType } from "#server/event-types/to-event-type.ts";
import { rawMember } from "../json/spans.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";

const find = (ctx: Ctx, { name }: { name: string }) => findEventType(ctx.db, ctx.tenantId, name);

export const eventTypeRoutes = [
  listRoute(listEventTypes, {
    read: (conn, ctx, _input, page) => readEventTypes(conn, ctx.tenantId, page),
    position: (type: ListedEventTypeRow) => [type.createdPosition, type.name],
    show: toEventType,
  }),
  route(getEventType, { find, handle: async (_ctx, { found }) => ({ body: toEventType(found) }) }),
  route(putEventType, {
    async handle(ctx, { params: { name }, query, body, text }) {
      if (body.name !== undefined && body.name !== name)
        throw validationError([{ detail: "must be that of the path", pointer: "#/name" }]);
      const content = {
        description: body.description ?? null,
        schema: (body.schema ?? null) === null ? null : (rawMember(text, "schema") ?? null),
        example: (body.example ?? null) === null ? null : (rawMember(text, "example") ?? null),
        deprecated: body.deprecated,
      };
      const location = `/event-types/${name}`;
      if (query.dry_run === "true") {
        checkEventType(name, content);
        const at = ctx.now();
        return {
          status: 200,
          body: toEventType({ ...content, name, createdAt: at, updatedAt: at }),
          location,
        };
      }
      const { type, isNew } = await defineEventType(ctx, name, content);
      return { status: isNew ? 201 : 200, body: toEventType(type), location };
    },
  }),
  route(deleteEventType, {
    find,
    async handle(ctx, { found }) {
      await removeEventType(ctx, found);
      return {};
    },
  }),
];
