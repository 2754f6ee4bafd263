import { queryOptions } from "@tanstack/react-query";
import { getReplay, type Replay } from "#contracts/replays.ts";
import { call } from "./api.ts";

const EVERY_MS = 1_000;
const isEnded = ({ status, done, total }: Replay) =>
  status === "cancelled" || (status === "completed" && done >= total);

/** A replay that somebody has just made, followed to its end. */
export const replayProgressQuery = (tenantId: string, replay: Replay) =>
  queryOptions({
    queryKey: ["replays", "progress", tenantId, replay.id],
    queryFn: ({ signal }) => call(getReplay, { tenantId, params: { id: replay.id }, signal }),
    initialData: replay,
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state }) => (state.data && isEnded(state.data) ? false : EVERY_MS),
  });
