import { toId } from "#contracts/ids.ts";
import type { Replay, ReplaySelection, ReplayStatus } from "#contracts/replays.ts";
import type { ReplayRow } from "#db/queries/replays.ts";
import { replayLinks } from "../domain/replays.ts";

/** A replay as the API shows it; `prefix` is that of the deployment (`/api/v1`). */
export function toReplay(row: ReplayRow, prefix: string): Replay {
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
    started_at: row.startedAt?.toISOString() ?? null,
    completed_at: row.completedAt?.toISOString() ?? null,
    links: replayLinks(status, `${prefix}/replays/${id}`),
  };
}
