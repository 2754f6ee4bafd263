import type { Operation, ReturnPreference } from "#contracts/operation.ts";
import { type ApiResponse, RawJson } from "./message.ts";
import { preferredReturn } from "./preference.ts";

/** What a use case gave, as a binding tells it to `route`. */
export interface Reply<T> {
  body?: T | RawJson;
  /** When it is not the operation's own. */
  status?: number;
  /** Path of what was made, below the API's prefix. */
  location?: string;
  /** Version of a versioned resource; becomes the ETag where the answer carries one. */
  version?: string;
  /** Links to neighbouring pages (RFC 8288). */
  link?: string;
}

/** What differs for another caller: caches must keep the answers apart. */
const VARY = "Authorization, Cookie, Posthorn-Tenant";

/** The request that an answer is for. */
export interface Asked {
  /** Path of the API's root. */
  prefix: string;
  /** The request's Prefer header. */
  prefer?: string | undefined;
}

/** The answer that a reply stands for. */
export function render<T>(operation: Operation, reply: Reply<T>, asked: Asked): ApiResponse {
  const { status, hasBody, applied } = shapeOf(operation, reply, asked.prefer);
  const { body, location, version, link } = reply;
  const text = !hasBody ? null : body instanceof RawJson ? body.text : JSON.stringify(body);
  const etag = carriesTag(operation) && version !== undefined ? `"${version}"` : undefined;
  return {
    status,
    headers: {
      ...(text === null ? {} : { "content-type": "application/json" }),
      // `no-transform`: a proxy that compresses would weaken the tag, and a weak tag never satisfies If-Match.
      "cache-control": etag === undefined ? "no-store" : "private, no-cache, no-transform",
      vary: operation.prefer ? `${VARY}, Prefer` : VARY,
      ...(etag === undefined ? {} : { etag }),
      ...(location === undefined ? {} : { location: asked.prefix + location }),
      ...(link === undefined ? {} : { link }),
      ...(applied ? { "preference-applied": `return=${applied}` } : {}),
    },
    body: text,
  };
}

/**
 * Whether success carries the tag of its version. That of a PUT must not: the client would take it for the tag of what it
 * sent (RFC 9110 §9.3.4). After a DELETE there is nothing to tag.
 */
export function carriesTag({ method, versioned }: Operation): boolean {
  return versioned === true && method !== "PUT" && method !== "DELETE";
}

/** Status and body of success, as the client prefers them where the operation lets it. */
function shapeOf(
  operation: Operation,
  reply: Reply<unknown>,
  prefer: string | undefined,
): { status: number; hasBody: boolean; applied?: ReturnPreference | undefined } {
  const status = reply.status ?? operation.status;
  if (!operation.prefer) return { status, hasBody: reply.body !== undefined };
  const applied = preferredReturn(prefer);
  const isMinimal = (applied ?? otherThan(operation.prefer)) === "minimal";
  if (isMinimal) return { status: 204, hasBody: false, applied };
  return { status: status === 204 ? 200 : status, hasBody: true, applied };
}

const otherThan = (preference: ReturnPreference): ReturnPreference =>
  preference === "minimal" ? "representation" : "minimal";
