import { isIP } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";

export type UrlCheck = { ok: true; href: string } | { ok: false; reason: string };

const MAX_URL_LENGTH = 2048;

/** Names that can only mean a host of the sender's own network. */
const LOCAL_SUFFIXES = [".local", ".internal", ".home.arpa", ".svc"];
const METADATA_NAMES = new Set(["metadata", "metadata.google.internal", "instance-data"]);

/**
 * Whether a webhook may be registered for a URL. This is fast feedback and not the boundary: the address policy
 * decides at connect time. Only https to a public name passes; addresses and local names, and http to them, pass
 * where ALLOW_PRIVATE_TARGETS has opened their ranges. `ownHost` is where this installation is reached, with its port if
 * that is not the protocol's own: deliveries to it would come back. Judges the URL as parsed (WHATWG) and gives that as
 * `href`.
 */
export function checkEndpointUrl(text: string, policy: AddressPolicy, ownHost: string): UrlCheck {
  const tooLong = { ok: false, reason: `The URL is longer than ${MAX_URL_LENGTH} characters.` } as const;
  if (text.length > MAX_URL_LENGTH) return tooLong;
  // The parser drops or rewrites these, so that the URL would not be the one that was meant.
  if (/[\s\\\p{Cc}]/u.test(text)) {
    return { ok: false, reason: "The URL has spaces, control characters or backslashes." };
  }
  if (!URL.canParse(text)) return { ok: false, reason: "This is not an absolute URL." };
  const url = new URL(text);
  if (url.href.length > MAX_URL_LENGTH) return tooLong;
  if (url.host === ownHost.toLowerCase()) return { ok: false, reason: "The URL leads back to this service." };
  const reason = formDefect(url, text) ?? hostDefect(url, policy);
  return reason === null ? { ok: true, href: url.href } : { ok: false, reason };
}

/** What is before an @ in the authority, an empty name too, which the parser drops. */
const USER_INFO = /^https?:\/*[^/?#]*@/i;

function formDefect(url: URL, text: string): string | null {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "The URL must use https.";
  if (USER_INFO.test(text)) return "The URL must not carry a user name or password.";
  if (url.href.includes("#")) return "The URL must not have a fragment (#).";
  // No port: the default one of the protocol. The lower ports are other services' (SSH, SMTP).
  if (url.port !== "" && Number(url.port) < 1024) return "The port must be 443 or at least 1024.";
  return null;
}

function hostDefect(url: URL, policy: AddressPolicy): string | null {
  // WHATWG keeps the brackets of an IPv6 address in the host name, and has canonicalised 0x7f.1 and its kin.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (METADATA_NAMES.has(host)) return "The host is a metadata service.";
  if (host.endsWith(".")) return "The host name must not end with a dot.";
  if (isOpened(host, policy)) return null;
  if (isIP(host)) return "The host must be a name, not an IP address.";
  if (isLocalName(host)) return "The host name does not belong to the public internet.";
  return url.protocol === "https:" ? null : "The URL must use https.";
}

/** An address or local name that a range of ALLOW_PRIVATE_TARGETS makes reachable, as far as the name alone tells. */
function isOpened(host: string, policy: AddressPolicy): boolean {
  if (isIP(host)) return policy.opens(host);
  if (isLocalhost(host)) return policy.opens("127.0.0.1") || policy.opens("::1");
  return isLocalName(host) && policy.opensNetworks;
}

/** Names that always mean this machine (RFC 6761 §6.3). */
export function isLocalhost(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function isLocalName(host: string): boolean {
  return isLocalhost(host) || !host.includes(".") || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix));
}
