import { type NextRequest, NextResponse } from "next/server";
import { FRAMED_BY_HEADER } from "#contracts/framing.ts";

/**
 * Gives each page a content security policy with a nonce of its own, which Next puts on the scripts it renders.
 * It decides nothing about access: the API does that, call by call.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const framedBy = request.headers.get(FRAMED_BY_HEADER) ?? "'none'";
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    // Mantine sets its variables in style attributes, which no nonce can allow.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join("; ");
  // Both overwrite whatever a client sent under these names.
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

// Not the API: a proxy buffers request bodies. Not what pages are made of either: files need no policy.
export const config = { matcher: "/((?!api/|_next/static/|(?:docs|healthz|readyz|metrics)(?:/|$)).*)" };
