/** This very machine. */
export const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The origins whose pages may act with the session cookie: the configured one, and where that is this very machine
 * its other spellings too, since people open `localhost` where `127.0.0.1` was printed.
 */
export function trustedOrigins(origin: string): string[] {
  const url = new URL(origin);
  if (!LOOPBACK_NAMES.includes(url.hostname)) return [url.origin];
  return LOOPBACK_NAMES.map((name) => `${url.protocol}//${name}${url.port ? `:${url.port}` : ""}`);
}
