import { toId } from "#contracts/ids.ts";
import type { Replay, ReplayCreator, ReplaySelection, ReplayStatus } from "#contracts/replays.ts";
import type { ReplayRow } from "#db/queries/replays.ts";
import type { Ctx } from "../context.ts";
import { replayLinks } from "../domain/replays.ts";
import { shownCreator } from "./replay-creator.ts";

/** A replay as the API shows it to whoever calls. */
export function toReplay(row: ReplayRow, { prefix, actor }: Pick<Ctx, "prefix" | "actor">): Replay {
  const id = toId("replay", row.id);
  const status = row.status as ReplayStatus;
  return {
    id,
    endpoint_id: toId("endpoint", row.endpointId),
    kind: row.kind as Replay["kind"],
    status,
    selection: row.selection as ReplaySelection,
    total: row.total,
    done: row.done,
    succeeded: row.succeeded,
    failed: row.failed,
    created_at: row.createdAt.toISOString(),
    created_by: shownCreator(row.createdBy as ReplayCreator | null, actor),
    started_at: row.startedAt?.toISOString() ?? null,
    completed_at: row.completedAt?.toISOString() ?? null,
    links: replayLinks(status, `${prefix}/replays/${id}`),
  };
}
