import type { IncomingMessage, ServerResponse } from "node:http";
import { fromId } from "#contracts/ids.ts";
import { findTenant } from "#db/queries/tenants.ts";
import type { Services } from "../context.ts";
import { AppError, notFound } from "../errors.ts";
import type { ChangeFeed } from "../live/change-feed.ts";
import { authenticate, type Caller, type FindStaff, requireScope } from "./authenticate.ts";
import { fromNode } from "./node-adapter.ts";

export interface LiveDeps {
  services: Services;
  findStaff: FindStaff | undefined;
  feed: ChangeFeed;
}

/** A stream ends after a minute, so that who may not look any more does not: browsers come back by themselves. */
const LIFETIME_MS = 60_000;
const BEAT_MS = 15_000;
const MAX_STREAMS = 500;
const MAX_UNREAD_BYTES = 16 * 1024;

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  // A proxy that collects before it passes on would hold back what is to be told at once.
  "x-accel-buffering": "no",
};

/**
 * `/live`: server-sent events (HTML, 9.2) that say when deliveries of a tenant have changed, and nothing of what they
 * are: who hears of a change reads the lists of the API again. For holders of `deliveries:read`; staff name the tenant in
 * the query, since a browser sends no header of ours here.
 */
export class LiveStreams {
  readonly #deps: LiveDeps;
  #open = 0;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
  }

  /** Opens a stream. Throws an `AppError` for who may not have one. */
  async answer(request: IncomingMessage, response: ServerResponse, stopping: AbortSignal): Promise<void> {
    const asked = fromNode(request, response, stopping);
    const caller = await authenticate(this.#deps.services, this.#deps.findStaff, asked);
    requireScope(caller.actor, "deliveries:read");
    const tenantId = await this.#tenantOf(caller, asked.target);
    if (this.#open >= MAX_STREAMS)
      throw new AppError("rate-limited", "Too many streams are open. Read the lists by the clock.");
    this.#stream(response, tenantId, asked.signal);
  }

  async #tenantOf({ tenantId }: Caller, target: string): Promise<string> {
    if (tenantId !== undefined) return tenantId;
    const named = new URLSearchParams(target.split("?")[1]).get("tenant") ?? "";
    const id = fromId("tenant", named);
    if (id === undefined) throw new AppError("invalid-parameter", "Name the tenant: /live?tenant=ten_….");
    if (!(await findTenant(this.#deps.services.db, id))) throw notFound();
    return id;
  }

  #stream(response: ServerResponse, tenantId: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#open++;
    response.writeHead(200, HEADERS);
    const send = (text: string) => {
      // Who reads too slowly misses nothing: it is told to look when it has read what there is.
      if (response.writableLength < MAX_UNREAD_BYTES) response.write(text);
    };
    send("retry: 1000\n\nevent: changed\ndata: {}\n\n");
    const leave = this.#deps.feed.subscribe(tenantId, () => send("event: changed\ndata: {}\n\n"));
    const beat = setInterval(() => send(":\n\n"), BEAT_MS);
    const end = setTimeout(() => close(), LIFETIME_MS);
    const close = () => {
      signal.removeEventListener("abort", close);
      clearInterval(beat);
      clearTimeout(end);
      leave();
      this.#open--;
      response.end();
    };
    signal.addEventListener("abort", close);
  }
}
