import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import {
  deleteEventType,
  type EventType,
  getEventType,
  listEventTypes,
  putEventType,
} from "#contracts/event-types.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { call, callText, readAll } from "./api.ts";
import { bodyOf, type Draft } from "./event-type-draft.ts";

const MAX_PAGES = 10;

/** The types of a tenant's catalogue and the built-in ones, to choose from. */
export const eventTypesQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ["event-types", "all", tenantId],
    queryFn: ({ signal }) =>
      readAll(
        (after) => call(listEventTypes, { tenantId, query: { limit: "100", after }, signal }),
        MAX_PAGES,
      ),
    staleTime: 30_000,
  });

/** The catalogue page by page: the tenant's own types, newest first, then the built-in ones. */
export const eventTypePagesQuery = (tenantId: string) =>
  infiniteQueryOptions({
    queryKey: ["event-types", "list", tenantId],
    queryFn: ({ pageParam, signal }) =>
      call(listEventTypes, { tenantId, query: { limit: "50", after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
  });

/** A type with its text: numbers of its schema and example have all their digits there. */
export interface ReadEventType {
  text: string;
  type: EventType;
}

export const eventTypeQuery = (tenantId: string, name: string) =>
  queryOptions({
    queryKey: ["event-types", "one", tenantId, name],
    queryFn: ({ signal }) => readEventType(tenantId, name, signal),
    // What somebody is changing is not exchanged under their hands; who comes back to it begins with what is there then.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

async function readEventType(tenantId: string, name: string, signal?: AbortSignal): Promise<ReadEventType> {
  const text = await callText(getEventType, { tenantId, params: { name }, ...(signal ? { signal } : {}) });
  return { text, type: JSON.parse(text) as EventType };
}

/** Asks the server whether it would take a definition. Throws the `ApiProblem` that saving would. */
export const checkEventType = (tenantId: string, draft: Draft, signal: AbortSignal): Promise<string> =>
  callText(putEventType, {
    tenantId,
    params: { name: draft.name },
    query: { dry_run: "true" },
    body: bodyOf(draft),
    signal,
  });

/** What came of saving; `now`: what somebody else made of the type meanwhile, `null` when they deleted it. */
export type Saved = { saved: ReadEventType } | { now: ReadEventType | null };

/** What is to be replaced: that version of a type, or nothing by a new one; `undefined` is whatever there is. */
export type Replaced = number | "nothing" | undefined;

/** Saves a definition, unless there is something else than what it is to replace. */
export async function saveEventType(tenantId: string, draft: Draft, replaced: Replaced): Promise<Saved> {
  const { name } = draft;
  const headers: Record<string, string> = replaced === "nothing" ? { "if-none-match": "*" } : {};
  if (typeof replaced === "number") headers["if-match"] = `"${replaced}"`;
  const input = { tenantId, params: { name }, body: bodyOf(draft), headers };
  try {
    const text = await callText(putEventType, input);
    return { saved: { text, type: JSON.parse(text) as EventType } };
  } catch (error) {
    if (isConflict(error)) return { now: await readIfThere(tenantId, name) };
    throw error;
  }
}

/** Takes a type out of the catalogue, unless it is no longer of that version; `undefined` is any. */
export const removeEventType = (
  tenantId: string,
  name: string,
  version: number | undefined,
): Promise<undefined> =>
  call(deleteEventType, {
    tenantId,
    params: { name },
    ...(version === undefined ? {} : { ifMatch: version }),
  });

/** Whether somebody else has changed the type, or deleted it. */
const isConflict = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 412 || error.status === 404);

function readIfThere(tenantId: string, name: string): Promise<ReadEventType | null> {
  return readEventType(tenantId, name).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  });
}
