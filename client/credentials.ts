import { TENANT_HEADER } from "#contracts/tenants.ts";

/** The token of a portal's link while its page is open; kept nowhere else. */
let token: string | null = null;

/** Has the calls of this page made with a link's token from now on; gives what takes that back. */
export function actByToken(value: string): () => void {
  token = value;
  return () => {
    if (token === value) token = null;
  };
}

interface Credentials {
  headers: Record<string, string>;
  init: { credentials: RequestCredentials; cache: RequestCache };
}

/**
 * What tells the API who asks. In the console that is the session cookie, with the tenant that staff act on beside it;
 * in a portal a token, which has one tenant alone, and never a cookie of whoever opened the link.
 */
export function credentials(tenantId: string | undefined): Credentials {
  if (token !== null)
    return {
      headers: { authorization: `Bearer ${token}` },
      init: { credentials: "omit", cache: "no-store" },
    };
  const headers: Record<string, string> = tenantId === undefined ? {} : { [TENANT_HEADER]: tenantId };
  return { headers, init: { credentials: "same-origin", cache: "no-store" } };
}
