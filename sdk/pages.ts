import type { Page } from "#contracts/page.ts";
import { pause } from "./retry.ts";

/** Reads the page at a cursor; without one the first. */
export type ReadPage<P extends Page<unknown>> = (after: string | undefined) => Promise<P>;

/** Page after page to the end of a list, or until the loop is left. `after` begins behind that position. */
export async function* pagesOf<P extends Page<unknown>>(
  read: ReadPage<P>,
  after?: string,
): AsyncGenerator<P> {
  for (let cursor = after; ; ) {
    const page = await read(cursor);
    yield page;
    if (!page.has_more || page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** Every item of a list, to its end. */
export async function* itemsOf<Item>(read: ReadPage<Page<Item>>, after?: string): AsyncGenerator<Item> {
  for await (const page of pagesOf(read, after)) yield* page.items;
}

/**
 * Follows a feed for ever: each page that has items, as soon as there is one. Keep `next_cursor` once a page has been
 * dealt with, and begin there the next time. `pauseMs` is the pause after an empty page, for a server that does not wait.
 */
export async function* follow<P extends Page<unknown>>(
  read: ReadPage<P>,
  {
    after,
    signal,
    pauseMs,
  }: { after?: string | undefined; signal?: AbortSignal | undefined; pauseMs: number },
): AsyncGenerator<P> {
  for (let cursor = after; ; ) {
    const page = await read(cursor);
    if (page.items.length > 0) yield page;
    else await pause(pauseMs, signal);
    cursor = page.next_cursor ?? cursor;
  }
}
