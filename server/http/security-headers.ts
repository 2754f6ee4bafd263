/** For a year, and this host alone: what else lives below its domain is not ours to decide on. */
const HSTS = "max-age=31536000";

/**
 * What every answer but a page says to browsers: it is no document, nothing frames it, nothing of another origin reads it.
 * Pages and the API reference have a policy of their own. Where `origin` is https, browsers are to keep to that.
 */
export function securityHeaders(origin: string): Record<string, string> {
  return {
    "content-security-policy":
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    ...transportSecurity(origin),
  };
}

/** Strict-Transport-Security (RFC 6797) where the origin is https: said over http it would be of no account. */
export const transportSecurity = (origin: string): Record<string, string> =>
  origin.startsWith("https://") ? { "strict-transport-security": HSTS } : {};
