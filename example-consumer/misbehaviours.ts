import type { IncomingMessage, ServerResponse } from "node:http";

export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void;

const RETRY_AFTER_SECONDS = 10;
const MAX_HELD_REQUESTS = 200;

/** Always 503; every third answer asks for some patience. */
export function unavailable(): Misbehaviour {
  let answered = 0;
  return (request, response) => {
    request.resume();
    answered += 1;
    response.writeHead(503, answered % 3 === 0 ? { "Retry-After": String(RETRY_AFTER_SECONDS) } : {}).end();
  };
}

/** 410: the endpoint is gone for good. */
export function gone(): Misbehaviour {
  return (request, response) => {
    request.resume();
    response.writeHead(410).end();
  };
}

/** Never answers: holds each request until its client goes away, or until too many newer ones are held. */
export function hang(): Misbehaviour {
  const held = new Set<ServerResponse>();
  return (request, response) => {
    request.resume();
    held.add(response);
    response.on("close", () => held.delete(response));
    const [oldest] = held;
    if (oldest === undefined || held.size <= MAX_HELD_REQUESTS) return;
    held.delete(oldest);
    oldest.destroy();
  };
}
