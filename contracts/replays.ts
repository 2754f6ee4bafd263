import * as z from "zod";
import { FailureReasons } from "./deliveries.ts";
import { NewEndpoint } from "./endpoints.ts";
import { idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { Link, pageOf, pageQuery, TimeParameter, Timestamp } from "./page.ts";

const REPLAY_STATUSES = ["queued", "running", "completed", "cancelled"] as const;
const ReplayStatus = z.enum(REPLAY_STATUSES).meta({ id: "ReplayStatus", example: "running" });
export type ReplayStatus = z.infer<typeof ReplayStatus>;

/** The longest range that one replay or recovery covers. */
export const MAX_RANGE_DAYS = 31;

const EXAMPLE_FROM = "2026-11-20T00:00:00.000Z";
const EXAMPLE_TO = "2026-11-21T00:00:00.000Z";

/** The states that a range may name: what is pending is on its way as it is. */
const ReplayableStatus = z.enum(["delivered", "failed", "cancelled", "dismissed"]);
const Statuses = z
  .array(ReplayableStatus)
  .min(1)
  .max(4)
  .meta({ example: ["failed"] });

/** Which deliveries a replay is of, as it was asked for. */
const Selection = z
  .object({
    from: Timestamp.optional().meta({ example: EXAMPLE_FROM }),
    to: Timestamp.optional().meta({ example: EXAMPLE_TO }),
    statuses: Statuses.optional(),
    event_types: z.array(z.string()).optional(),
    failure_reasons: z.array(z.string()).optional(),
    since: Timestamp.optional().describe("Of a recovery."),
    include_missing: z.boolean().optional().describe("Of a recovery."),
  })
  .meta({ id: "ReplaySelection" });
export type ReplaySelection = z.infer<typeof Selection>;

const ReplayCreator = z
  .object({
    kind: z.enum(["staff", "api_key", "portal_link"]),
    id: z
      .string()
      .nullable()
      .describe(
        "E-mail of the member of staff, which only staff are told; id of the API key or of the link to the portal.",
      )
      .meta({ example: "kim@example.com" }),
    name: z
      .string()
      .nullable()
      .describe("Of the key or link, as it was then; null for staff.")
      .meta({ example: null }),
  })
  .meta({ id: "ReplayCreator" });
export type ReplayCreator = z.infer<typeof ReplayCreator>;

const Replay = z
  .object({
    id: idSchema("replay"),
    endpoint_id: idSchema("endpoint"),
    kind: z.enum(["replay", "recovery"]),
    status: ReplayStatus,
    selection: Selection,
    total: z
      .int()
      .describe(
        "How many deliveries it is of: counted when it was made, and corrected for those that have changed since once all were looked at.",
      )
      .meta({ example: 1200 }),
    done: z
      .int()
      .describe("Those that have ended since they were put back: `succeeded` and `failed` together.")
      .meta({ example: 480 }),
    succeeded: z.int().meta({ example: 472 }),
    failed: z.int().describe("Those that ended in any other way than delivered.").meta({ example: 8 }),
    created_at: Timestamp,
    created_by: ReplayCreator.nullable().describe(
      "Who made it; null for one that was made before this was kept.",
    ),
    started_at: Timestamp.nullable().meta({ example: "2026-11-21T09:30:00.312Z" }),
    completed_at: Timestamp.nullable().describe("When it was completed or cancelled."),
    links: z.array(Link),
  })
  .meta({ id: "Replay" });
export type Replay = z.infer<typeof Replay>;

const DryRun = z
  .object({ total: z.int().meta({ example: 1200 }) })
  .describe("Of a dry run: how many deliveries it would be.")
  .meta({ id: "ReplayDryRun" });

export const DryRunQuery = z.strictObject({
  dry_run: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "`true`: nothing is done, and the answer says how many deliveries it would be." }),
});
const WHEN_DRY = "With `dry_run=true`: how many deliveries it would be. Nothing was done.";

export const NewReplay = z
  .strictObject({
    from: TimeParameter.describe("The first moment of creation.").meta({ example: EXAMPLE_FROM }),
    to: TimeParameter.describe(
      `The moment of creation before which it ends; at most ${MAX_RANGE_DAYS} days after \`from\`.`,
    ).meta({ example: EXAMPLE_TO }),
    statuses: Statuses.default(["failed"]),
    event_types: NewEndpoint.shape.event_types
      .optional()
      .describe("Exact names, `*`, or prefixes that end in `*`; every type when absent."),
    failure_reasons: FailureReasons.optional().describe(
      "Only those whose `failure_reason` is one of these; any when absent.",
    ),
  })
  .meta({ id: "NewReplay" });
export type NewReplay = z.output<typeof NewReplay>;

export const NewRecovery = z
  .strictObject({
    since: TimeParameter.describe(`At most ${MAX_RANGE_DAYS} days ago.`).meta({ example: EXAMPLE_FROM }),
    include_missing: z
      .boolean()
      .default(false)
      .describe(
        "Also events that were published since then, are of the endpoint's types and pass its filter, and have no delivery to it: from before it existed, or while it was disabled.",
      ),
  })
  .meta({ id: "NewRecovery" });
export type NewRecovery = z.output<typeof NewRecovery>;

const EndpointParams = z.object({ id: idParameter("endpoint") });
const ReplayParams = z.object({ id: idParameter("replay") });
const HOW =
  "A job puts deliveries back bit by bit, behind fresh work and retries: the same delivery ids, the next attempt numbers, a fresh retry schedule. `Location` leads to its progress. Refused for an endpoint that is disabled.";

export const createReplay = operation({
  id: "createReplay",
  tag: "Replays",
  method: "POST",
  path: "/webhook-endpoints/{id}/replays",
  summary: "Send the deliveries of a range of time again",
  description: `${HOW} \`statuses\` are \`failed\` alone unless it says otherwise.`,
  scope: "deliveries:replay",
  params: EndpointParams,
  query: DryRunQuery,
  body: NewReplay,
  response: z.union([Replay, DryRun]),
  status: 202,
  location: true,
  otherStatuses: { 200: WHEN_DRY },
  problems: ["state-conflict"],
});

export const createRecovery = operation({
  id: "createRecovery",
  tag: "Replays",
  method: "POST",
  path: "/webhook-endpoints/{id}/recoveries",
  summary: "Send everything again that has not been delivered since a moment",
  description: `What failed or was cancelled; what was dismissed is left alone, because somebody has seen to it. ${HOW}`,
  scope: "deliveries:replay",
  params: EndpointParams,
  query: DryRunQuery,
  body: NewRecovery,
  response: z.union([Replay, DryRun]),
  status: 202,
  location: true,
  otherStatuses: { 200: WHEN_DRY },
  problems: ["state-conflict"],
});

export const listReplays = operation({
  id: "listReplays",
  tag: "Replays",
  method: "GET",
  path: "/replays",
  summary: "List replays and recoveries, newest first",
  scope: "deliveries:read",
  query: z.strictObject({
    endpoint_id: idSchema("endpoint").optional(),
    status: ReplayStatus.optional(),
    ...pageQuery,
  }),
  response: pageOf(Replay, "ReplayPage"),
  status: 200,
});

export const getReplay = operation({
  id: "getReplay",
  tag: "Replays",
  method: "GET",
  path: "/replays/{id}",
  summary: "Read the progress of a replay",
  scope: "deliveries:read",
  params: ReplayParams,
  response: Replay,
  status: 200,
});

export const cancelReplay = operation({
  id: "cancelReplay",
  tag: "Replays",
  method: "POST",
  path: "/replays/{id}/cancel",
  summary: "Stop a replay",
  description:
    "No further delivery is put back; those that already were are still sent, and counted. Refused once it has ended.",
  scope: "deliveries:replay",
  params: ReplayParams,
  body: z.strictObject({}),
  bodyOptional: true,
  response: Replay,
  status: 200,
  problems: ["state-conflict"],
});
