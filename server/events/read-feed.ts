import type { Db } from "#db/client.ts";
import { type FeedQuery, type FeedRows, readFeed as readFeedRows } from "#db/queries/events.ts";
import { boundedRead } from "../bounded-read.ts";
import type { FeedWatch } from "./feed-watch.ts";

// A page of a thousand large events would be hundreds of megabytes.
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

export interface FeedRequest extends Omit<FeedQuery, "maxBytes"> {
  /** How long to wait for an event when there is none. */
  waitMs: number;
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
 */
export async function readFeed(
  deps: { db: Db; feedWatch: FeedWatch },
  request: FeedRequest,
  signal: AbortSignal,
): Promise<FeedPage | FeedExpired> {
  const { waitMs, ...feed } = request;
  const until = performance.now() + waitMs;
  for (;;) {
    const rows = await boundedRead(deps.db, (conn) =>
      readFeedRows(conn, { ...feed, maxBytes: MAX_PAGE_BYTES }),
    );
    const after = feed.after ?? rows.purged;
    if (BigInt(after) < BigInt(rows.purged)) return { oldest: rows.purged };
    const leftMs = until - performance.now();
    if (rows.events.length > 0 || leftMs <= 0 || signal.aborted) return toPage(rows, after);
    // What was read up to holds nothing that was asked for, so the next look starts behind it.
    feed.after = later(rows.last, after);
    const hasWaited = await deps.feedWatch.wait(feed.tenantId, feed.after, leftMs, signal);
    if (!hasWaited) return toPage(rows, after);
  }
}

function toPage({ events, hasMore, last }: FeedRows, after: string): FeedPage {
  // A page that is not full has read everything there was, events of other types too.
  const next = hasMore ? (events.at(-1)?.sequence ?? after) : later(last, after);
  return { bodies: events.map((event) => event.body), hasMore, next };
}

const later = (a: string, b: string) => (BigInt(a) > BigInt(b) ? a : b);
