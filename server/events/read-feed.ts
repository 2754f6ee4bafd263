import type { Db } from "#db/client.ts";
import { type FeedQuery, type FeedRows, readFeed as readFeedRows } from "#db/queries/events.ts";
import { boundedRead } from "../bounded-read.ts";

// A page of a thousand large events would be hundreds of megabytes.
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const POLL_MS = 250;

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

/** The events after a position, oldest first. `signal` ends the wait. */
export async function readFeed(db: Db, request: FeedRequest, signal: AbortSignal): Promise<FeedPage> {
  const { waitMs, ...feed } = request;
  const until = performance.now() + waitMs;
  for (;;) {
    const rows = await boundedRead(db, (conn) => readFeedRows(conn, { ...feed, maxBytes: MAX_PAGE_BYTES }));
    const leftMs = until - performance.now();
    if (rows.events.length > 0 || leftMs <= 0 || signal.aborted) return toPage(rows, feed.after);
    // What was read up to holds nothing that was asked for, so the next look starts behind it.
    feed.after = later(rows.last, feed.after);
    await pause(Math.min(POLL_MS, leftMs), signal);
  }
}

function toPage({ events, hasMore, last }: FeedRows, after: string): FeedPage {
  // A page that is not full has read everything there was, events of other types too.
  const next = hasMore ? (events.at(-1)?.sequence ?? after) : later(last, after);
  return { bodies: events.map((event) => event.body), hasMore, next };
}

const later = (a: string, b: string) => (BigInt(a) > BigInt(b) ? a : b);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
