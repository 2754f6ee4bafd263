import { queryOptions } from "@tanstack/react-query";
import { ROLE_SCOPES, type Role, type Scope } from "#contracts/scopes.ts";
import { request } from "./api.ts";

const AUTH_PATH = "/api/auth";
const JSON_HEADERS = { accept: "application/json", "content-type": "application/json" };

export interface Session {
  user: { id: string; name: string; email: string; role: Role };
}

/** Who is signed in; `null` for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) =>
    (await request(`${AUTH_PATH}/get-session`, { signal, headers: JSON_HEADERS })) as Session | null,
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * Starts a session, or says that a code is needed first; throws `ApiProblem` 401 for a wrong e-mail or password and 429
 * after too many tries.
 */
export async function signIn(email: string, password: string): Promise<{ needsCode: boolean }> {
  const told = await post("/sign-in/email", { email, password });
  return { needsCode: typeof told === "object" && told !== null && "twoFactorRedirect" in told };
}

/** Gives the code that a sign-in waits for; throws `ApiProblem` 401 for a wrong one and when it waits no more. */
export async function giveCode(code: string): Promise<void> {
  await post("/two-factor/verify", { code });
}

/** Sets a password by the link of an invitation; throws `ApiProblem` 400 when the link was used or has expired. */
export async function setPasswordByLink(token: string, newPassword: string): Promise<void> {
  await post("/reset-password", { token, newPassword });
}

/** Ends the session here and on the server. */
export async function signOut(): Promise<void> {
  await post("/sign-out", {});
}

const post = (path: string, body: object) =>
  request(AUTH_PATH + path, { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(body) });

/** Whether the role holds the scope. The server decides; this only tells people beforehand. */
export function holds(role: Role, scope: Scope): boolean {
  return ROLE_SCOPES[role].includes(scope);
}

/** The address of the sign-in page that comes back to `here`, a path of this console with its query. */
export function signInPath(here: string): string {
  return here === "/" || here.startsWith("/sign-in")
    ? "/sign-in"
    : `/sign-in?next=${encodeURIComponent(here)}`;
}

/** The path that `next` asks to return to, or `/` when it leads anywhere but into this console. */
export function returnPath(next: string | null, origin: string): string {
  if (!next?.startsWith("/") || !URL.canParse(next, origin)) return "/";
  const url = new URL(next, origin);
  return url.origin === origin ? url.pathname + url.search : "/";
}
