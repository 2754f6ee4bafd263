import type { Operation } from "#contracts/operation.ts";
import { type ApiResponse, RawJson } from "./message.ts";

/** What a use case gave, as a binding tells it to `route`. */
export interface Reply<T> {
  body?: T | RawJson;
  /** When it is not the operation's own. */
  status?: number;
  /** Path of what was made, below the API's prefix. */
  location?: string;
  /** Version of a versioned resource; becomes the ETag. */
  version?: string;
  /** Links to neighbouring pages (RFC 8288). */
  link?: string;
}

/** What differs for another caller: caches must keep the answers apart. */
const VARY = "Authorization, Cookie, Posthorn-Tenant";

/** The answer that a reply stands for. */
export function render<T>(operation: Operation, reply: Reply<T>, prefix: string): ApiResponse {
  const { body, location, version, link } = reply;
  const text = body === undefined ? null : body instanceof RawJson ? body.text : JSON.stringify(body);
  return {
    status: reply.status ?? operation.status,
    headers: {
      ...(text === null ? {} : { "content-type": "application/json" }),
      // `no-transform`: a proxy that compresses would weaken the tag, and a weak tag never satisfies If-Match.
      "cache-control": version === undefined ? "no-store" : "private, no-cache, no-transform",
      vary: VARY,
      ...(version === undefined ? {} : { etag: `"${version}"` }),
      ...(location === undefined ? {} : { location: prefix + location }),
      ...(link === undefined ? {} : { link }),
    },
    body: text,
  };
}
