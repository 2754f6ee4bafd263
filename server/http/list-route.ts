import type * as z from "zod";
import type { Operation } from "#contracts/operation.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, type Page } from "#contracts/page.ts";
import type { Conn } from "#db/client.ts";
import { boundedRead } from "../bounded-read.ts";
import type { Ctx } from "../context.ts";
import type { PageRequest, PageSlice } from "../domain/page.ts";
import { type CursorBinding, decodeCursor, encodeCursor } from "./cursor.ts";
import { type Route, route } from "./route.ts";

const CURSOR_LIFE_MS = 72 * 3_600_000;

type ListQuery = { limit?: number | undefined; after?: string | undefined };

export interface Listing<P, Q, Item, Row, F> {
  /** As of `route`. */
  find?: (ctx: Ctx, params: P) => Promise<F | undefined>;
  /** Reads one page, bounded in time. `filters` is the query but for page size and cursor. */
  read(
    conn: Conn,
    ctx: Ctx,
    input: { filters: Omit<Q, keyof ListQuery>; found: F },
    page: PageRequest,
  ): Promise<PageSlice<Row>>;
  /** The sort key of a row, as text. */
  position(row: Row): readonly string[];
  show(row: Row, ctx: Ctx): Item;
}

/** Binds a list operation: signed cursors in both directions, each page authorized anew. */
export function listRoute<
  P extends z.ZodType,
  Q extends z.ZodType<ListQuery>,
  Item,
  Row,
  F extends object | undefined = undefined,
>(
  operation: Operation<P, Q, z.ZodType, z.ZodType<Page<Item>>>,
  listing: Listing<z.output<P>, z.output<Q>, Item, Row, F>,
): Route {
  return route<P, Q, z.ZodType, z.ZodType<Page<Item>>, F>(operation, {
    ...(listing.find ? { find: listing.find } : {}),
    async handle(ctx, { params, query, found, path, search }) {
      const { limit = DEFAULT_LIMIT, after, ...filters } = query;
      const binding: CursorBinding = {
        tenantId: ctx.tenantId,
        principalId: ctx.actor.principalId,
        list: `${operation.id}:${MAX_LIMIT}`,
        filters: { ...filters, "{path}": params },
      };
      const now = ctx.now();
      const start = after === undefined ? undefined : decodeCursor(ctx.keyring, binding, after, now);
      const page = { limit, from: start?.at ?? null, backward: start?.backward ?? false };
      const slice = await boundedRead(ctx.db, (conn) => listing.read(conn, ctx, { filters, found }, page));

      const expiresAt = new Date(now.getTime() + CURSOR_LIFE_MS);
      const cursor = (row: Row | undefined, backward: boolean) =>
        row === undefined
          ? null
          : encodeCursor(ctx.keyring, binding, { at: listing.position(row), backward }, expiresAt);
      const body = {
        items: slice.items.map((row) => listing.show(row, ctx)),
        next_cursor: cursor(slice.next, false),
        prev_cursor: cursor(slice.prev, true),
        has_more: slice.hasMore,
      };
      return { body, ...pageLinks(body, path, search) };
    },
  });
}

/** `Link` to the pages next to this one (RFC 8288), which keep the query's filters. */
export function pageLinks(
  page: Pick<Page<unknown>, "next_cursor" | "prev_cursor">,
  path: string,
  search: string,
): { link?: string } {
  const to = (rel: string, cursor: string | null) => {
    if (cursor === null) return [];
    const query = new URLSearchParams(search);
    query.set("after", cursor);
    return [`<${path}?${query}>; rel="${rel}"`];
  };
  const links = [...to("next", page.next_cursor), ...to("prev", page.prev_cursor)];
  return links.length > 0 ? { link: links.join(", ") } : {};
}
