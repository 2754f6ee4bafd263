import * as z from "zod";

/** The prefix of each kind of id at the edge of the system; inside, ids are plain UUIDs. */
export const ID_PREFIXES = {
  tenant: "ten",
  cart: "cart",
  event: "evt",
  delivery: "dlv",
  attempt: "att",
  endpoint: "whe",
  apiKey: "key",
  replay: "rpl",
  staff: "usr",
  session: "ses",
  portalLink: "ptl",
  passkey: "pky",
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const UUID_V7 = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

/** `toId("event", uuid)` is `evt_<uuid>`. */
export function toId(kind: IdKind, uuid: string): string {
  return `${ID_PREFIXES[kind]}_${uuid}`;
}

/** The UUID inside a prefixed id, or `undefined` when the text is no id of that kind. */
export function fromId(kind: IdKind, id: string): string | undefined {
  const prefix = `${ID_PREFIXES[kind]}_`;
  const uuid = id.slice(prefix.length);
  return id.startsWith(prefix) && new RegExp(`^${UUID}$`).test(uuid) ? uuid : undefined;
}

/** Schema of an id of one kind, as answers and filters carry it. */
export function idSchema(kind: IdKind) {
  return z
    .string()
    .regex(new RegExp(`^${ID_PREFIXES[kind]}_${UUID}$`))
    .meta({ example: `${ID_PREFIXES[kind]}_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84` });
}

/** Schema of an id in a path. It takes any text, since what is no id names nothing: that is a 404, as for any other. */
export function idParameter(kind: IdKind) {
  return z.string().meta({ example: `${ID_PREFIXES[kind]}_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84` });
}

/** Schema of an event id made by a client: it must be a UUIDv7. */
export const ClientEventId = z.string().regex(new RegExp(`^evt_${UUID_V7}$`), "must be evt_ and a UUIDv7");

/** Milliseconds since the epoch that a UUIDv7 carries (RFC 9562 §5.7). */
export function uuidTimeMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** The smallest UUID that a UUIDv7 of that millisecond can be: the lower bound of a range of ids by time. */
export function uuidFloor(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
