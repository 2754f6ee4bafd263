/**
 * Whether a browser says that a page of one of the origins made the request. `Sec-Fetch-Site` decides where it is sent;
 * browsers leave it out where there is no TLS, and `Origin` decides then.
 */
export function isSameOrigin(
  header: (name: "sec-fetch-site" | "origin") => string | undefined,
  origins: readonly string[],
): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  return origins.includes(header("origin") ?? "");
}
