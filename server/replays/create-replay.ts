import { uuidv7 } from "uuidv7";
import { toId } from "#contracts/ids.ts";
import {
  MAX_RANGE_DAYS,
  type NewRecovery,
  type NewReplay,
  type Replay,
  type ReplaySelection,
} from "#contracts/replays.ts";
import type { Tx } from "#db/client.ts";
import type { EndpointRow } from "#db/queries/endpoints.ts";
import { countOpenReplays, findReplayTarget, insertReplay, type ReplayTarget } from "#db/queries/replays.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Ctx } from "../context.ts";
import { AppError, notFound, validationError } from "../errors.ts";
import { countSelection } from "./count-selection.ts";
import { enqueueStep } from "./enqueue-step.ts";
import { creatorOf } from "./replay-creator.ts";
import { toReplay } from "./to-replay.ts";

/** Of one tenant, that have not ended: each costs the workers a look several times a second. */
const MAX_OPEN = 100;
const DAY_MS = 86_400_000;

/** A replay that was made, or, of a dry run, how many deliveries it would be of. */
export type Started = { replay: Replay } | { total: number };

/** Starts sending the deliveries of a range of time again. Throws `state-conflict` for an endpoint that is disabled. */
export function createReplay(
  ctx: Ctx,
  endpoint: EndpointRow,
  { from, to, statuses, event_types, failure_reasons }: NewReplay,
  dryRun: boolean,
): Promise<Started> {
  if (from > ctx.now()) throw invalid("#/from", "must not be in the future");
  if (from > to) throw invalid("#/from", "must not be after `to`");
  if (to.getTime() - from.getTime() > MAX_RANGE_DAYS * DAY_MS)
    throw invalid("#/to", `must be at most ${MAX_RANGE_DAYS} days after \`from\``);
  const selection = {
    from: from.toISOString(),
    to: to.toISOString(),
    statuses,
    ...(event_types === undefined ? {} : { event_types }),
    ...(failure_reasons === undefined ? {} : { failure_reasons }),
  };
  return start(ctx, endpoint, dryRun, { kind: "replay", selection });
}

/** Starts sending everything again that was not delivered. Throws `state-conflict` for an endpoint that is disabled. */
export function createRecovery(
  ctx: Ctx,
  endpoint: EndpointRow,
  { since, include_missing }: NewRecovery,
  dryRun: boolean,
): Promise<Started> {
  const ageMs = ctx.now().getTime() - since.getTime();
  if (ageMs < 0) throw invalid("#/since", "must not be in the future");
  if (ageMs > MAX_RANGE_DAYS * DAY_MS) throw invalid("#/since", `must be at most ${MAX_RANGE_DAYS} days ago`);
  const selection = { since: since.toISOString(), include_missing };
  return start(ctx, endpoint, dryRun, { kind: "recovery", selection });
}

interface Wanted {
  kind: Replay["kind"];
  selection: ReplaySelection;
}

function start(ctx: Ctx, { id: endpointId }: EndpointRow, dryRun: boolean, wanted: Wanted): Promise<Started> {
  return ctx.transaction(async (tx) => {
    const target = await findReplayTarget(tx, ctx.tenantId, endpointId);
    if (!target || target.isDeleted) throw notFound();
    if (target.status === "disabled") throw disabled(target, ctx.prefix);
    const createdAt = ctx.now();
    const { selection } = wanted;
    const total = await countSelection(tx, { tenantId: ctx.tenantId, target, selection, createdAt });
    return dryRun ? { total } : { replay: await store(tx, ctx, endpointId, { ...wanted, total, createdAt }) };
  });
}

async function store(
  tx: Tx,
  ctx: Ctx,
  endpointId: string,
  wanted: Wanted & { total: number; createdAt: Date },
): Promise<Replay> {
  const { tenantId } = ctx;
  await lockTenant(tx, tenantId);
  if ((await countOpenReplays(tx, tenantId)) >= MAX_OPEN)
    throw invalid("#", `A tenant has at most ${MAX_OPEN} replays that have not ended.`);
  const createdBy = await creatorOf(tx, ctx);
  const replay = await insertReplay(tx, tenantId, { ...wanted, id: uuidv7(), endpointId, createdBy });
  await enqueueStep(ctx.boss, tx, { tenantId, replayId: replay.id });
  const shown = toReplay(replay, ctx);
  const { kind, endpoint_id, selection, total } = shown;
  await appendAudit(tx, ctx, {
    action: "replay.create",
    target: shown.id,
    after: { kind, endpoint_id, selection, total },
  });
  return shown;
}

function disabled({ id, status }: ReplayTarget, prefix: string): AppError {
  const href = `${prefix}/webhook-endpoints/${toId("endpoint", id)}`;
  const links = [
    { rel: "self", href, method: "GET" },
    { rel: "enable", href: `${href}/enable`, method: "POST" },
  ];
  const detail = "The endpoint is disabled, so nothing can be sent to it.";
  return new AppError("state-conflict", detail, { members: { state: status, links } });
}

const invalid = (pointer: string, detail: string) => validationError([{ detail, pointer }]);
