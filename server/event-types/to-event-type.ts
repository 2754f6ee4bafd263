import type { EventType } from "#contracts/event-types.ts";
import type { EventTypeRow } from "#db/queries/event-types.ts";
import { exactJson, exactNumber } from "../domain/exact-number.ts";

/** An event type as answers show it; its schema and example digit by digit as they were given. */
export function toEventType(row: EventTypeRow): EventType {
  return {
    name: row.name,
    description: row.description,
    schema: row.schema === null ? null : (exactJson(row.schema) as EventType["schema"]),
    example: row.example === null ? null : (exactJson(row.example) as EventType["example"]),
    deprecated: row.deprecated,
    built_in: row.createdAt === null,
    version: exactNumber(row.version),
    created_at: row.createdAt?.toISOString() ?? null,
    updated_at: row.updatedAt?.toISOString() ?? null,
  };
}

/** An event type as the audit log keeps it: as plain values. */
export const audited = (row: EventTypeRow): unknown => JSON.parse(JSON.stringify(toEventType(row)));
