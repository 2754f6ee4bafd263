import type { ApiRequest, ApiResponse } from "./message.ts";

/** A request of the Fetch standard, as Next hands it to a route handler. */
export function fromWeb(request: Request): ApiRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: url.pathname + url.search,
    header: (name) => request.headers.get(name) ?? undefined,
    body: request.body,
    signal: request.signal,
  };
}

/** An answer as a `Response` of the Fetch standard. HEAD gets the headers of GET. */
export function toWeb(request: Request, { status, headers, body }: ApiResponse): Response {
  const bodiless = request.method === "HEAD" || status === 204 || status === 304;
  return new Response(bodiless ? null : body, { status, headers });
}
