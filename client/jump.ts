import { fromId, ID_PREFIXES, type IdKind } from "#contracts/ids.ts";

/** The page of each kind of thing that has one. */
const PAGES: Partial<Record<IdKind, string>> = {
  delivery: "/deliveries",
  event: "/events",
  endpoint: "/endpoints",
  replay: "/replays",
};

/** Where a pasted id leads. */
export type Jump = { kind: IdKind; id: string; path: string } | { kind: "tenant"; id: string; path: null };

/** What a text is the id of; `null` when it is none of a thing that has a page. */
export function jumpFor(text: string): Jump | null {
  const id = text.trim().toLowerCase();
  const kinds = Object.keys(ID_PREFIXES) as IdKind[];
  const kind = kinds.find((each) => fromId(each, id) !== undefined);
  if (kind === "tenant") return { kind, id, path: null };
  const page = kind && PAGES[kind];
  return page ? { kind, id, path: `${page}/${id}` } : null;
}
