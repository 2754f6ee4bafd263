import { fromId, type IdKind } from "#contracts/ids.ts";

/** The page of each kind of thing that has one. */
const PAGES = [
  ["event", "/events"],
  ["delivery", "/deliveries"],
  ["endpoint", "/endpoints"],
  ["replay", "/replays"],
] as const satisfies readonly (readonly [IdKind, string])[];

/** Where the thing of a pasted id is shown; `null` for a text that is no such id. */
export function pathOfId(text: string): string | null {
  const id = text.trim().toLowerCase();
  const page = PAGES.find(([kind]) => fromId(kind, id) !== undefined);
  return page ? `${page[1]}/${id}` : null;
}
