import { fromId } from "#contracts/ids.ts";
import { cancelReplay, createRecovery, createReplay, getReplay, listReplays } from "#contracts/replays.ts";
import { findReplay, type ReplayRow } from "#db/queries/replays.ts";
import type { Ctx } from "#server/context.ts";
import { cancelReplay as cancel } from "#server/replays/cancel-replay.ts";
import {
  type Started,
  createRecovery as startRecovery,
  createReplay as startReplay,
} from "#server/replays/create-replay.ts";
import { listReplays as readReplays } from "#server/replays/list-replays.ts";
import { toReplay } from "#server/replays/to-replay.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";
import { findByPath } from "./endpoints.ts";

const find = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("replay", params.id);
  return id === undefined ? undefined : findReplay(ctx.db, ctx.tenantId, id);
};

const started = (result: Started) =>
  "replay" in result
    ? { body: result.replay, location: `/replays/${result.replay.id}` }
    : { body: result, status: 200 };

const isDry = (query: { dry_run?: "true" | "false" | undefined }) => query.dry_run === "true";

export const replayRoutes = [
  route(createReplay, {
    find: findByPath,
    handle: async (ctx, { found, body, query }) => started(await startReplay(ctx, found, body, isDry(query))),
  }),
  route(createRecovery, {
    find: findByPath,
    handle: async (ctx, { found, body, query }) =>
      started(await startRecovery(ctx, found, body, isDry(query))),
  }),
  listRoute(listReplays, {
    read: (conn, ctx, { filters }, page) => readReplays(conn, ctx.tenantId, filters, page),
    position: (replay: ReplayRow) => [replay.createdPosition, replay.id],
    show: toReplay,
  }),
  route(getReplay, { find, handle: async (ctx, { found }) => ({ body: toReplay(found, ctx) }) }),
  route(cancelReplay, { find, handle: async (ctx, { found }) => ({ body: await cancel(ctx, found) }) }),
];
