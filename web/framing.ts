import type { IncomingMessage, ServerResponse } from "node:http";
import { FRAMED_BY_HEADER } from "#contracts/framing.ts";
import type { Services } from "#server/context.ts";
import { findValidLink } from "#server/portal/verify-portal-token.ts";

const PORTAL = "/portal/";

/**
 * Says who may show a page in a frame: for one of the portal, what its link allows; for any other, and for a link that does
 * not hold, nobody. Next and the proxy set the headers of all pages but this one.
 */
export async function setFraming(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  delete request.headers[FRAMED_BY_HEADER];
  if (!path.startsWith(PORTAL)) return;
  const ancestors = await ancestorsOf(services, path.slice(PORTAL.length).split("/", 1)[0] ?? "");
  if (ancestors.length > 0) request.headers[FRAMED_BY_HEADER] = ancestors.join(" ");
  // It knows no list, and browsers that know `frame-ancestors` pass it over.
  else response.setHeader("x-frame-options", "DENY");
}

async function ancestorsOf(services: Services, token: string): Promise<readonly string[]> {
  try {
    return (await findValidLink(services, token))?.frameAncestors ?? [];
  } catch (error) {
    services.log.warn(
      { err: error },
      "a link to the portal could not be read: its page is shown in no frame",
    );
    return [];
  }
}
