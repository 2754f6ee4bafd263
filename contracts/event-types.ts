import * as z from "zod";
import { EventData, EventType as EventTypeName } from "./events.ts";
import { operation } from "./operation.ts";
import { Int64, pageOf, pageQuery, Timestamp } from "./page.ts";
import { isStorableJson, storableText } from "./text.ts";

const STORABLE = "must not hold NUL or half of a surrogate pair";
const JsonSchema = z
  .union([z.record(z.string(), z.unknown()), z.boolean()])
  .refine(isStorableJson, STORABLE)
  .meta({ example: { type: "object", required: ["amount"] } });
const Example = EventData.refine(isStorableJson, STORABLE).meta({ example: { amount: 12.5 } });

export const EventType = z
  .object({
    name: EventTypeName,
    description: z.string().nullable().meta({ example: "An invoice was paid." }),
    schema: JsonSchema.nullable().describe(
      "JSON Schema (2020-12) that `data` must satisfy; null allows anything.",
    ),
    example: Example.nullable(),
    deprecated: z.boolean().describe("A mark for readers; such events can still be published."),
    built_in: z.boolean().describe("Emitted by Posthorn itself; can be neither redefined nor deleted."),
    version: Int64.describe(
      "Grows on every change; sent quoted as the ETag. A type that was deleted and is made again has none that it had before.",
    ),
    created_at: Timestamp.nullable().describe("Null for a built-in type."),
    updated_at: Timestamp.nullable().describe("Null for a built-in type."),
  })
  .meta({ id: "EventType" });
export type EventType = z.infer<typeof EventType>;

const PutEventType = z
  .strictObject({
    name: EventTypeName.optional().describe("If given, that of the path."),
    description: storableText().max(1024).nullable().optional().meta({ example: "An invoice was paid." }),
    schema: JsonSchema.nullable()
      .optional()
      .describe(
        "JSON Schema (2020-12) that `data` must satisfy when such an event is published. At most 64 KiB and 500 subschemas; references within the schema only (`#`, `#/…`, `#anchor`), without `$id` and `$dynamicRef`; patterns without lookaround and backreferences. Formats are checked.",
      ),
    example: Example.nullable().optional().describe("At most 64 KiB; it must satisfy the schema."),
    deprecated: z.boolean().default(false),
  })
  .meta({ id: "PutEventType" });
export type PutEventType = z.infer<typeof PutEventType>;

const EventTypeParams = z.object({ name: z.string().meta({ example: "invoice.paid" }) });
const common = { tag: "Event types", scope: "events:read" } as const;

export const listEventTypes = operation({
  ...common,
  id: "listEventTypes",
  method: "GET",
  path: "/event-types",
  summary: "List event types, newest first, the built-in ones last",
  query: z.strictObject(pageQuery),
  response: pageOf(EventType, "EventTypePage"),
  status: 200,
});

export const getEventType = operation({
  ...common,
  id: "getEventType",
  method: "GET",
  path: "/event-types/{name}",
  summary: "Read one event type",
  params: EventTypeParams,
  response: EventType,
  status: 200,
  versioned: true,
});

export const putEventType = operation({
  ...common,
  id: "putEventType",
  method: "PUT",
  path: "/event-types/{name}",
  summary: "Define an event type, or replace its definition",
  description:
    "What is published from then on is held to the schema; what was published before stays. Types that are not in the catalogue may be published too. A built-in type cannot be redefined: 409. `If-Match` replaces the version that it names alone, and nothing that is not there: 404; `If-None-Match: *` defines a new type alone: 412 when there is one. A repeat that changes nothing keeps the version.",
  scope: "events:write",
  staffScope: "event-types:write",
  params: EventTypeParams,
  query: z.strictObject({
    dry_run: z
      .enum(["true", "false"])
      .optional()
      .meta({ description: "`true`: nothing is stored; the answer is 200 when it could be." }),
  }),
  body: PutEventType,
  response: EventType,
  status: 201,
  otherStatuses: {
    200: "There was a type of this name, and its definition is replaced. With `dry_run=true`: the type as it would be, of version 0.",
  },
  versioned: true,
  problems: ["state-conflict"],
});

export const deleteEventType = operation({
  ...common,
  id: "deleteEventType",
  method: "DELETE",
  path: "/event-types/{name}",
  summary: "Take an event type out of the catalogue",
  description:
    "Its events stay, and more can be published, of any content. A built-in type cannot be deleted: 409. A repeat is 404.",
  scope: "events:write",
  staffScope: "event-types:write",
  params: EventTypeParams,
  status: 204,
  versioned: true,
  problems: ["state-conflict"],
});
