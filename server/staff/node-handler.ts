import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequest, setResponse } from "better-call/node";
import { isSameOrigin } from "../domain/same-origin.ts";
import { AUTH_PATH, type Auth } from "./auth.ts";
import { trustedOrigins } from "./origins.ts";
import { SECOND_STEP } from "./second-step.ts";
import { CLIENT_ADDRESS_HEADER } from "./sign-in-hooks.ts";

const MAX_BODY_BYTES = 16 * 1024;

/** All that the console needs. Whatever else the library offers goes through the public API, or not at all. */
const CALLS = new Set([
  "POST /sign-in/email",
  "POST /sign-out",
  "GET /get-session",
  // Sets the password by the link of an invitation or a reset.
  "POST /reset-password",
  // The code of a sign-in whose password was right.
  `POST ${SECOND_STEP}`,
  // All else about passkeys is in the public API.
  "GET /passkey/generate-register-options",
  "POST /passkey/verify-registration",
  "GET /passkey/generate-authenticate-options",
  "POST /passkey/verify-authentication",
]);

/** Serves `/api/auth/*` on node:http. It answers every request, and never throws. */
export function toNodeHandler(auth: Auth, origin: string) {
  const origins = trustedOrigins(origin);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? "/", origin).pathname.slice(AUTH_PATH.length);
    if (!CALLS.has(`${request.method} ${path}`)) return refuse(response, 404, "There is no such call.");
    if (request.method === "POST") {
      // A page elsewhere must not even sign somebody in: they would work in an account that is not theirs.
      if (!isSameOrigin((name) => request.headers[name]?.toString(), origins))
        return refuse(response, 403, "This must come from the console itself.");
      // A form can send anything else without asking first.
      if (!isJson(request.headers["content-type"]))
        return refuse(response, 415, "The body must be application/json.");
    }
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES)
      return refuse(response, 413, "The body is too large.");
    // Only the socket says who calls: a forwarded address is whatever its sender wishes.
    request.headers[CLIENT_ADDRESS_HEADER] = request.socket.remoteAddress ?? "";
    try {
      const answer = await auth.handler(getRequest({ base: origin, request, bodySizeLimit: MAX_BODY_BYTES }));
      answer.headers.set("cache-control", "no-store");
      await setResponse(response, answer);
    } catch {
      refuse(response, 500, "Something went wrong on our side.");
    }
  };
}

const isJson = (contentType = "") => /^application\/json\s*(;|$)/i.test(contentType);

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify({ message }));
}
