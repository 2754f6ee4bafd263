import type { Db } from "#db/client.ts";
import { type FeedQuery, readFeed as readFeedRows } from "#db/queries/events.ts";
import { boundedRead } from "../bounded-read.ts";
import type { FeedWatch } from "./feed-watch.ts";

// A page of a thousand large events would be hundreds of megabytes.
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;
// There is no index of types, which every event would pay for: the feed is walked through part by part, some ten
// milliseconds each, and a reader of what is rare gets a page that is not full, perhaps empty, and goes on from there.
export const SPAN = 10_000;
export const WALK_MS = 500;

export interface FeedRequest extends Omit<FeedQuery, "maxBytes" | "span"> {
  /** How long to wait for an event when there is none. */
  waitMs: number;
  /** Sequences that one statement looks at, at most; default 10,000. */
  span?: number;
  /** How long to look for more before a page that is not full is given; default 500. */
  walkMs?: number;
}

export interface FeedPage {
  /** JSON texts of the events, oldest first. */
  bodies: string[];
  hasMore: boolean;
  /** Sequence from which to read on. */
  next: string;
}

/** What the position stands for has been purged; the feed begins after `oldest`. */
export interface FeedExpired {
  oldest: string;
}

/**
 * The events after a position, oldest first. `signal` ends the wait. A position before what retention has purged is
 * expired, even if the reader has not asked for the types that were purged: a gap is never passed over in silence.
 * While there is more, a page may hold less than was asked for, or nothing: it has come as far as it could in its time.
 */
export async function readFeed(
  deps: { db: Db; feedWatch: FeedWatch },
  request: FeedRequest,
  signal: AbortSignal,
): Promise<FeedPage | FeedExpired> {
  const { waitMs, span = SPAN, walkMs = WALK_MS, ...feed } = request;
  const beganAt = performance.now();
  const until = beganAt + waitMs;
  const page: FeedPage = { bodies: [], hasMore: false, next: feed.after ?? "0" };
  let bytes = 0;
  for (;;) {
    const limit = feed.limit - page.bodies.length;
    const rows = await boundedRead(deps.db, (conn) =>
      readFeedRows(conn, { ...feed, limit, span, maxBytes: MAX_PAGE_BYTES - bytes }),
    );
    if (BigInt(feed.after ?? rows.purged) < BigInt(rows.purged))
      return page.bodies.length > 0 ? page : { oldest: rows.purged };
    for (const { body } of rows.events) {
      page.bodies.push(body);
      bytes += Buffer.byteLength(body);
    }
    page.hasMore = rows.hasMore;
    // What was read up to holds nothing more that was asked for, so the next look starts behind it.
    page.next = feed.after = rows.through;

    const isFull = page.bodies.length >= feed.limit || bytes >= MAX_PAGE_BYTES;
    if (isFull || signal.aborted) return page;
    const now = performance.now();
    if (rows.hasMore) {
      if (now - beganAt >= walkMs) return page;
      continue;
    }
    if (page.bodies.length > 0 || now >= until) return page;
    if (!(await deps.feedWatch.wait(feed.tenantId, feed.after, until - now, signal))) return page;
  }
}
