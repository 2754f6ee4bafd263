import type { Db } from "#db/client.ts";
import { type BackwardQuery, readBackward, sequenceAt } from "#db/queries/newest-events.ts";
import { boundedRead } from "../bounded-read.ts";
import { MAX_PAGE_BYTES, SPAN, WALK_MS } from "./read-feed.ts";

// Moments follow the order of commits but for as long as a transaction takes, and clocks differ a little.
const SKEW_MS = 60_000;

export interface NewestRequest extends Omit<BackwardQuery, "maxBytes" | "span" | "floor"> {
  /** As of `readFeed`. */
  span?: number;
  walkMs?: number;
}

export interface NewestPage {
  /** JSON texts of the events, newest first. */
  bodies: string[];
  hasMore: boolean;
  /** Sequence before which to read on. */
  next: string;
}

/**
 * The events before a position, newest first. While there is more, a page may hold less than was asked for, or nothing: it
 * has come as far as it could in its time.
 */
export async function readNewest(deps: { db: Db }, request: NewestRequest): Promise<NewestPage> {
  const { span = SPAN, walkMs = WALK_MS, ...asked } = request;
  const beganAt = performance.now();
  const { floor, ceiling } = await boundsOf(deps.db, asked);
  const query = { ...asked, floor, before: asked.before ?? ceiling };
  const page: NewestPage = { bodies: [], hasMore: false, next: query.before ?? "" };
  let bytes = 0;
  for (;;) {
    const limit = asked.limit - page.bodies.length;
    const rows = await boundedRead(deps.db, (conn) =>
      readBackward(conn, { ...query, limit, span, maxBytes: MAX_PAGE_BYTES - bytes }),
    );
    for (const { body } of rows.events) {
      page.bodies.push(body);
      bytes += Buffer.byteLength(body);
    }
    page.hasMore = rows.hasMore;
    page.next = query.before = rows.through;
    const isFull = page.bodies.length >= asked.limit || bytes >= MAX_PAGE_BYTES;
    if (isFull || !rows.hasMore || performance.now() - beganAt >= walkMs) return page;
  }
}

/** Between which sequences the events of the asked time lie, a little more than them. */
async function boundsOf(db: Db, { tenantId, from, to, before }: Omit<NewestRequest, "span" | "walkMs">) {
  const at = (time: Date, skewMs: number) =>
    boundedRead(db, (conn) => sequenceAt(conn, tenantId, new Date(time.getTime() + skewMs)));
  return {
    floor: from === null ? null : await at(from, -SKEW_MS),
    ceiling: to === null || before !== null ? null : await at(to, SKEW_MS),
  };
}
