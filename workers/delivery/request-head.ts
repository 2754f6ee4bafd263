import type { Peer } from "./guard-connector.ts";
import { remember } from "./remember.ts";

/** Where a request goes, read from its URL once. */
export interface Target {
  /** Scheme, host and port. */
  origin: string;
  peer: Peer;
  /** The request line and the headers that HTTP itself needs (RFC 9112 §3). */
  opening: string;
}

/** RFC 9110 §5.1, and what the sender says itself: two of those would be two requests for a careless reader. */
const NAME =
  /^(?!(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect)$)[\w!#$%&'*+.^`|~-]+$/i;
/** Nothing that could end the line, or that is not one byte (RFC 9110 §5.5). */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What precedes the value of each header that has been sent: the same few names come again and again. */
const beginnings = new Map<string, string>();
const MAX_BEGINNINGS = 10_000;

/** Reads a URL. Null for other than http and https. */
export function targetOf(text: string): Target | null {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return null;
  const { origin, protocol, host, hostname, port, pathname, search } = url;
  return {
    origin,
    peer: { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port },
    opening: `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive`,
  };
}

/** The head of a request, in characters of one byte each. Throws for a header that HTTP does not allow, or not here. */
export function requestHead({ opening }: Target, headers: Record<string, string>, bodyBytes: number): string {
  let head = opening;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (!VALUE.test(value)) throw new TypeError(`The value of ${JSON.stringify(name)} cannot be sent.`);
    head += beginnings.get(name) ?? beginningOf(name);
    head += value;
  }
  return `${head}\r\ncontent-length: ${bodyBytes}\r\n\r\n`;
}

function beginningOf(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`The header ${JSON.stringify(name)} cannot be sent.`);
  return remember(beginnings, MAX_BEGINNINGS, name, `\r\n${name}: `);
}
