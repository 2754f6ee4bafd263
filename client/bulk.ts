import {
  cancelDelivery,
  type Delivery,
  type DeliveryStatus,
  dismissDelivery,
} from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { dismissDeliveries } from "#contracts/failures.ts";
import { createReplay, MAX_RANGE_DAYS, type Replay } from "#contracts/replays.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { call } from "./api.ts";
import { readMatching, replay } from "./deliveries.ts";
import { boundsOf, type Filters } from "./delivery-filters.ts";

export const BULK_ACTIONS = ["replay", "dismiss", "cancel"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** The states that each action is for; deliveries in others are passed over. */
export const STATES_FOR: Record<BulkAction, readonly DeliveryStatus[]> = {
  replay: ["delivered", "failed", "cancelled", "dismissed"],
  dismiss: ["failed"],
  cancel: ["pending"],
};

/** The most deliveries that are seen to one by one, by the browser. */
export const MAX_ONE_BY_ONE = 1_000;
const AT_ONCE = 4;
const DAY_MS = 86_400_000;
/** What two clocks may differ by. */
const SLACK_MS = 60_000;

export interface ReplayPart {
  endpoint: Endpoint;
  total: number;
  body: {
    from: string;
    to: string;
    statuses: Replayable[];
    event_types?: string[];
    failure_reasons?: string[];
  };
}
interface DismissalBody {
  from: string;
  to: string;
  endpoint_id?: string;
  failure_reasons?: string[];
}
type Replayable = "delivered" | "failed" | "cancelled" | "dismissed";

/** What an action will do: make replays on the server, dismiss there, or see to deliveries one by one. */
export type BulkPlan =
  | { kind: "dismissal"; body: DismissalBody; total: number; isMore: boolean }
  | { kind: "replays"; parts: ReplayPart[]; total: number; disabled: number }
  | { kind: "each"; ids: string[]; skipped: number; isMore: boolean };

/** Of rows that were picked by hand. */
export function planRows(action: BulkAction, rows: readonly Delivery[]): BulkPlan {
  const fit = rows.filter((row) => STATES_FOR[action].includes(row.status));
  return { kind: "each", ids: fit.map(({ id }) => id), skipped: rows.length - fit.length, isMore: false };
}

/** The states that an action on everything that matches is about. */
export function statesOf(action: BulkAction, filters: Filters): DeliveryStatus[] {
  const wanted = filters.status;
  return STATES_FOR[action].filter((status) => wanted.length === 0 || wanted.includes(status));
}

/** Whether the server can select what the filters select: its replays know no event and no text. */
export const isReplayable = (filters: Filters): boolean => filters.q === null && filters.event === null;

/** Whether the server can dismiss what the filters select. */
const isDismissable = (filters: Filters): boolean => isReplayable(filters) && filters.type.length === 0;

/** When the deliveries of a bulk action were created: as far back as the server lets it, unless it is filtered. */
function rangeOf(filters: Filters, nowMs: number): { from: string; to: string } {
  const { from, to } = boundsOf(filters, nowMs);
  return {
    from: from ?? new Date(nowMs - MAX_RANGE_DAYS * DAY_MS + SLACK_MS).toISOString(),
    to: to ?? new Date(nowMs).toISOString(),
  };
}

/** The request of one endpoint's replay for the filters as of `nowMs`. */
export function replayBody(filters: Filters, nowMs: number): ReplayPart["body"] {
  return {
    ...rangeOf(filters, nowMs),
    statuses: statesOf("replay", filters) as Replayable[],
    ...(filters.type.length > 0 ? { event_types: filters.type } : {}),
    ...(filters.reason.length > 0 ? { failure_reasons: filters.reason } : {}),
  };
}

/** Works out what an action on everything that matches will do, and counts it. */
export async function planMatching(
  of: { tenantId: string; action: BulkAction; filters: Filters; endpoints: readonly Endpoint[] },
  signal: AbortSignal,
): Promise<BulkPlan> {
  const { tenantId, action, filters, endpoints } = of;
  const status = statesOf(action, filters);
  if (status.length === 0) return { kind: "each", ids: [], skipped: 0, isMore: false };
  if (action === "replay" && isReplayable(filters)) return planReplays(tenantId, filters, endpoints, signal);
  if (action === "dismiss" && isDismissable(filters)) return planDismissal(tenantId, filters, signal);
  const ids: string[] = [];
  for await (const rows of readMatching(tenantId, { ...filters, status }, signal)) {
    ids.push(...rows.map(({ id }) => id));
    if (ids.length > MAX_ONE_BY_ONE) break;
  }
  const isMore = ids.length > MAX_ONE_BY_ONE;
  return { kind: "each", ids: ids.slice(0, MAX_ONE_BY_ONE), skipped: 0, isMore };
}

async function planDismissal(tenantId: string, filters: Filters, signal: AbortSignal): Promise<BulkPlan> {
  const body: DismissalBody = {
    ...rangeOf(filters, Date.now()),
    ...(filters.endpoint === null ? {} : { endpoint_id: filters.endpoint }),
    ...(filters.reason.length > 0 ? { failure_reasons: filters.reason } : {}),
  };
  const query = { dry_run: "true" } as const;
  const { total, has_more } = await call(dismissDeliveries, { tenantId, query, body, signal });
  return { kind: "dismissal", body, total, isMore: has_more };
}

async function planReplays(
  tenantId: string,
  filters: Filters,
  endpoints: readonly Endpoint[],
  signal: AbortSignal,
): Promise<BulkPlan> {
  const body = replayBody(filters, Date.now());
  const wanted = endpoints.filter(({ id }) => filters.endpoint === null || filters.endpoint === id);
  const open = wanted.filter(({ status }) => status !== "disabled");
  const parts: ReplayPart[] = [];
  await inTurns(open, async (endpoint) => {
    const query = { dry_run: "true" } as const;
    const { total } = await call(createReplay, {
      tenantId,
      params: { id: endpoint.id },
      query,
      body,
      signal,
    });
    if (total > 0) parts.push({ endpoint, total, body });
  });
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  return { kind: "replays", parts, total, disabled: wanted.length - open.length };
}

/** Makes the replay of one endpoint. */
export async function startReplay(
  tenantId: string,
  part: ReplayPart,
  idempotencyKey: string,
): Promise<Replay> {
  const params = { id: part.endpoint.id };
  return (await call(createReplay, { tenantId, params, body: part.body, idempotencyKey })) as Replay;
}

/** Dismisses on the server, call by call until there are no more. */
export async function runDismissal(
  of: { tenantId: string; body: DismissalBody; total: number; reason: string },
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  const reason = of.reason.trim();
  const body = reason === "" ? of.body : { ...of.body, reason };
  const progress: Progress = { total: of.total, done: 0, refused: new Map() };
  for (let isMore = true; isMore && !signal.aborted; ) {
    const answer = await call(dismissDeliveries, { tenantId: of.tenantId, body });
    isMore = answer.has_more;
    progress.done += answer.total;
    progress.total = Math.max(progress.total, progress.done);
    onProgress({ ...progress });
  }
  return progress;
}

/** How far a run has come. */
export interface Progress {
  total: number;
  done: number;
  /** Why the server refused some, with how many each. */
  refused: ReadonlyMap<string, number>;
}

/** Sees to deliveries one by one, a few at a time; what the server refuses is counted, what it cannot do now ends the run. */
export async function runEach(
  of: { tenantId: string; action: BulkAction; ids: readonly string[]; reason: string; key: string },
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  const { tenantId, action, ids, key } = of;
  const refused = new Map<string, number>();
  let done = 0;
  const progress = () => ({ total: ids.length, done, refused: new Map(refused) });
  const body = of.reason.trim() === "" ? {} : { reason: of.reason.trim() };
  await inTurns(ids, async (id) => {
    if (signal.aborted) return;
    const params = { id };
    const idempotencyKey = `${key}-${id}`;
    try {
      await patiently(signal, () => {
        if (action === "replay") return replay(tenantId, id, idempotencyKey);
        const op = action === "dismiss" ? dismissDelivery : cancelDelivery;
        return call(op, { tenantId, params, body, idempotencyKey });
      });
    } catch (error) {
      if (!(error instanceof ApiProblem) || (error.status !== 409 && error.status !== 404)) throw error;
      const why = error.detail ?? error.title;
      refused.set(why, (refused.get(why) ?? 0) + 1);
    }
    done++;
    onProgress(progress());
  });
  return progress();
}

/** Waits as long as the server asks for, and tries again. */
async function patiently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await work();
    } catch (error) {
      const waitMs =
        error instanceof ApiProblem && error.status === 429 ? (error.retryAfterMs ?? 1_000) : null;
      if (waitMs === null || tries >= 20 || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const turn = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
}
