import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs";
import { cancelReplay, getReplay, listReplays, type Replay, type ReplayStatus } from "#contracts/replays.ts";
import { call } from "./api.ts";
import { counted, utcMoment } from "./format.ts";

/** Total: a new status does not compile until it has a place here. */
const ALL: Record<ReplayStatus, true> = { queued: true, running: true, completed: true, cancelled: true };
export const REPLAY_STATUS_NAMES = Object.keys(ALL) as ReplayStatus[];

/** The filters of the list as the address bar holds them. */
export const replayFilterParsers = {
  status: parseAsStringLiteral(REPLAY_STATUS_NAMES),
  endpoint: parseAsString,
};
export type ReplayFilters = inferParserType<typeof replayFilterParsers>;
export const NO_REPLAY_FILTERS: ReplayFilters = { status: null, endpoint: null };
export const isReplayFiltered = ({ status, endpoint }: ReplayFilters): boolean =>
  status !== null || endpoint !== null;

/** Whether it goes on without anybody doing something. */
export const isUnderWay = ({ status }: Replay): boolean => status === "queued" || status === "running";

export const replaysQuery = (tenantId: string, { status, endpoint }: ReplayFilters) =>
  infiniteQueryOptions({
    queryKey: ["replays", "list", tenantId, status, endpoint],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: "50",
        after: pageParam,
        status: status ?? undefined,
        endpoint_id: endpoint ?? undefined,
      };
      return call(listReplays, { tenantId, query, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
    placeholderData: keepPreviousData,
  });

export const replayQuery = (tenantId: string, id: string) =>
  queryOptions({
    queryKey: ["replays", "one", tenantId, id],
    queryFn: ({ signal }) => call(getReplay, { tenantId, params: { id }, signal }),
  });

export const stopReplay = (tenantId: string, id: string): Promise<Replay> =>
  call(cancelReplay, { tenantId, params: { id } });

/** What sort of replay it is. */
export function kindOf({ kind, selection }: Pick<Replay, "kind" | "selection">): string {
  if (kind === "replay") return "Bulk replay";
  return selection.include_missing ? "Recovery with missing" : "Recovery";
}

/** Who made a replay, as far as it is known and told. */
export function creatorWords({ created_by: by }: Pick<Replay, "created_by">): string {
  if (by === null) return "not known";
  const name = by.name ?? by.id;
  if (by.kind === "staff") return name ?? "staff";
  const what = by.kind === "portal_link" ? "portal link" : "API key";
  return name === null ? what : `${what} ${name}`;
}

/** Which deliveries a replay is of, as a sentence. */
export function selectionWords({ kind, selection }: Pick<Replay, "kind" | "selection">): string {
  const minute = (at: string) => utcMoment(at).replace(/:\d\d\.\d+ UTC$/, " UTC");
  if (kind === "recovery") {
    const missing = selection.include_missing ? ", and events since then that never made a delivery" : "";
    return `What failed or was cancelled since ${minute(selection.since ?? "")}${missing}.`;
  }
  const { from = "", to = "", statuses = ["failed"], event_types: types } = selection;
  const of = types && !types.includes("*") ? ` of ${listed(types, "and")}` : "";
  return `Deliveries${of} that ${wereWords(statuses)}, created from ${minute(from)} until ${minute(to)}.`;
}

const WERE: Record<string, string> = {
  failed: "failed",
  delivered: "were delivered",
  cancelled: "were cancelled",
  dismissed: "were dismissed",
};
const wereWords = (statuses: readonly string[]) =>
  listed(
    statuses.map((status) => WERE[status] ?? status),
    "or",
  );

function listed(words: readonly string[], joint: string): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${joint} ${last}`;
}

/** How far a replay is. `shares` are percentages of the whole, for a bar. */
export interface Progress {
  words: string;
  /** Not sent again, or not yet. */
  open: number;
  shares: { delivered: number; failed: number };
}

export function progressOf({ total, done, succeeded, failed }: Replay): Progress {
  const share = (count: number) => (total === 0 ? 0 : Math.min(100, (100 * count) / total));
  return {
    words: `${done.toLocaleString("en")} of ${counted(total, "delivery", "deliveries")}`,
    open: Math.max(0, total - done),
    shares: { delivered: share(succeeded), failed: share(failed) },
  };
}
