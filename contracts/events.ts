import * as z from "zod";
import { ClientEventId, idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import {
  isOperational,
  OPERATIONAL_DESCRIPTIONS,
  OPERATIONAL_PREFIX,
  OPERATIONAL_TYPES,
} from "./operational-events.ts";
import { feedQuery, pageOf, TimeParameter, Timestamp } from "./page.ts";
import { Problem } from "./problems.ts";

export const API_VERSION = "1";

/** The types that Posthorn itself emits. */
export const BUILT_IN_TYPES = [
  "CartCreated",
  "CartUpdated",
  "CartItemUpdated",
  "CartItemRemoved",
  "CartDeleted",
  "CartCheckedOut",
  "OrderCreated",
  "OrderUpdated",
  "PaymentCaptured",
  "OrderShipped",
  "OrderCancelled",
  "Ping",
  ...OPERATIONAL_TYPES,
] as const;

/** When each of them comes. */
export const BUILT_IN_DESCRIPTIONS: Readonly<Record<(typeof BUILT_IN_TYPES)[number], string>> = {
  CartCreated: "A cart was created",
  CartUpdated: "A cart was changed",
  CartItemUpdated: "An item was put into a cart or changed",
  CartItemRemoved: "An item was taken out of a cart",
  CartDeleted: "A cart was deleted",
  CartCheckedOut: "An order was made from a cart",
  OrderCreated: "An order was created",
  OrderUpdated: "The shipping address of an order was changed",
  PaymentCaptured: "The payment of an order was recorded",
  OrderShipped: "An order was shipped",
  OrderCancelled: "An order was cancelled",
  Ping: "A test, sent on request",
  ...OPERATIONAL_DESCRIPTIONS,
};

export const EventType = z
  .string()
  .max(128)
  .regex(
    /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/,
    "must be words of letters, digits and _ joined by full stops",
  )
  .meta({ example: "invoice.paid" });

export const EventData = z
  .record(z.string(), z.unknown())
  .meta({ example: { invoice: "inv_7", amount: 12.5 } });

/** An event as it is read back and as it is delivered: the same bytes. */
export const Event = z
  .object({
    id: idSchema("event"),
    type: EventType,
    timestamp: Timestamp,
    sequence: z.int().describe("Contiguous per tenant, in the order of commits.").meta({ example: 42 }),
    api_version: z.string().meta({ example: API_VERSION }),
    data: EventData,
  })
  .meta({ id: "Event" });
export type Event = z.infer<typeof Event>;

/** An event as it is kept: as it was published, or, since its data was expunged, without that. */
const StoredEvent = Event.extend({
  data: EventData.nullable().describe("Null since the data was expunged; `expunged_at` tells when that was."),
  expunged_at: Timestamp.optional().describe("Only of an event whose data was expunged."),
}).meta({ id: "StoredEvent" });

export const NewEvent = z
  .strictObject({
    type: EventType.refine(
      (type) => !isOperational(type),
      `must not begin with ${OPERATIONAL_PREFIX}`,
    ).describe(`Names that begin with \`${OPERATIONAL_PREFIX}\` are Posthorn's own.`),
    data: EventData,
    id: ClientEventId.optional().describe(
      "Made by the client for exactly-once publishing; its time must lie within 24 h of now.",
    ),
  })
  .meta({ id: "NewEvent" });
export type NewEvent = z.infer<typeof NewEvent>;

export const MAX_BATCH_EVENTS = 1000;
const NewEventBatch = z
  .strictObject({
    // Each event is validated apart, so that one bad event does not refuse the others.
    events: z
      .array(z.unknown())
      .min(1)
      .max(MAX_BATCH_EVENTS)
      .meta({ items: { $ref: "#/components/schemas/NewEvent" } }),
  })
  .meta({ id: "NewEventBatch" });

const PublishResult = z
  .union([
    z.object({ status: z.union([z.literal(201), z.literal(200)]), id: idSchema("event") }),
    z.object({ status: z.int().min(400).max(499), problem: Problem }),
  ])
  .meta({ id: "PublishResult" });
export type PublishResult = z.infer<typeof PublishResult>;

export const publishEvent = operation({
  id: "publishEvent",
  tag: "Events",
  method: "POST",
  path: "/events",
  summary: "Publish an event",
  description:
    "Answers once the event, its deliveries and their jobs are durably committed. With a client-made `id`, a repeat with the same content answers 200 with the first event.",
  scope: "events:write",
  body: NewEvent,
  publishes: () => 1,
  response: StoredEvent,
  status: 201,
  otherStatuses: { 200: "The event had been published with this `id` before." },
  problems: ["idempotency-key-reused"],
});

export const publishEvents = operation({
  id: "publishEvents",
  tag: "Events",
  method: "POST",
  path: "/events/batch",
  summary: "Publish up to 1000 events",
  description: "One result per event, in order. With `atomic=true` nothing is stored when any event is bad.",
  scope: "events:write",
  query: z.strictObject({
    atomic: z.enum(["true", "false"]).optional().meta({ description: "Store all or nothing." }),
  }),
  body: NewEventBatch,
  maxBodyBytes: 8 * 1024 * 1024,
  publishes: ({ events }) => events.length,
  response: z.object({ results: z.array(PublishResult) }).meta({ id: "PublishResults" }),
  status: 200,
});

export const listEvents = operation({
  id: "listEvents",
  tag: "Events",
  method: "GET",
  path: "/events",
  summary: "Read the event feed, oldest first, or look back from the newest",
  description:
    "The reconciliation feed. `next_cursor` is always present: poll with it, or wait with `wait`. A reader never skips an event that commits late. Events are kept for 30 days unless the operator has set another time for you; a cursor from before what is gone answers 410 with `oldest_cursor`, and a read without a cursor begins with the oldest that is kept. An event whose data was expunged keeps its place, with `data: null` and `expunged_at`. With `order=desc` it is no feed but a list: from the newest back, and `next_cursor` leads to older events until it is null.",
  scope: "events:read",
  query: z.strictObject({
    ...feedQuery,
    type: z
      .union([EventType, z.array(EventType).max(50)])
      .optional()
      .meta({ description: "Repeatable." }),
    wait: z
      .string()
      .regex(/^([0-9]|[12][0-9]|30)$/, "must be 0 to 30 seconds")
      .transform(Number)
      .optional()
      .meta({
        type: "integer",
        minimum: 0,
        maximum: 30,
        example: 20,
        description: "Seconds to wait for an event when there is none yet. Not with `order=desc`.",
      }),
    order: z
      .enum(["asc", "desc"])
      .optional()
      .meta({ description: "`asc`, the default: oldest first. `desc`: newest first." }),
    from: TimeParameter.optional().meta({
      description: "Published at this moment or later. Only with `order=desc`.",
    }),
    to: TimeParameter.optional().meta({
      description: "Published before this moment. Only with `order=desc`.",
    }),
  }),
  response: pageOf(StoredEvent, "EventPage"),
  status: 200,
  problems: ["events-expired"],
});

export const getEvent = operation({
  id: "getEvent",
  tag: "Events",
  method: "GET",
  path: "/events/{id}",
  summary: "Read one event",
  scope: "events:read",
  params: z.object({ id: idParameter("event") }),
  response: StoredEvent,
  status: 200,
});

export const expungeEventData = operation({
  id: "expungeEventData",
  tag: "Events",
  method: "DELETE",
  path: "/events/{id}/data",
  summary: "Erase what an event carries",
  description:
    "For data that must not be kept. The event keeps its id, type, time and `sequence`, with `data: null` and `expunged_at`; so it is read from then on, alone, in the feed and as the request body of its attempts. The attempts lose the receiver's answers and the request's headers, which hold signatures of the data, and answers kept for Idempotency-Key lose it too. Deliveries that wait are cancelled, held ones included, and none of the event can be replayed: that is 409. While a request with the data is under way this is 409 too; repeat it once that has ended, which is within seconds. An id made by the client cannot be published again: 422 `idempotency-key-reused`. A repeat is 204 again. What receivers were sent, and backups of the database, are beyond its reach.",
  scope: "events:expunge",
  params: z.object({ id: idParameter("event") }),
  status: 204,
  problems: ["state-conflict"],
});
