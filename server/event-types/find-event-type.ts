import { EventType } from "#contracts/events.ts";
import type { Conn } from "#db/client.ts";
import { type EventTypeRow, findEventType as findOwnType } from "#db/queries/event-types.ts";
import { builtInTypes } from "./built-in-types.ts";

/** The type of that name in the tenant's catalogue, its own or a built-in one. */
export async function findEventType(
  conn: Conn,
  tenantId: string,
  name: string,
): Promise<EventTypeRow | undefined> {
  if (!EventType.safeParse(name).success) return undefined;
  return builtInTypes.find((type) => type.name === name) ?? findOwnType(conn, tenantId, name);
}
