import type { TransportErrorCode } from "./outcomes.ts";

const ERROR_TEXTS: Record<TransportErrorCode | "redirect_not_followed", string> = {
  dns_failure: "The host name did not resolve.",
  connection_refused: "The host refused the connection or cannot be reached.",
  connection_reset: "The connection was closed before an answer came.",
  connect_timeout: "No connection could be made in time.",
  timeout: "No answer came in time.",
  tls_expired: "The TLS certificate has expired.",
  tls_not_yet_valid: "The TLS certificate is not valid yet.",
  tls_self_signed: "The TLS certificate is self-signed.",
  tls_wrong_host: "The TLS certificate is for another host name.",
  tls_untrusted: "The TLS certificate was not issued by a trusted authority, or its chain is incomplete.",
  tls_revoked: "The TLS certificate has been revoked.",
  tls_handshake: "The TLS handshake failed.",
  bad_response: "The answer was not valid HTTP.",
  address_blocked: "The host leads to an address that may not be called.",
  worker_lost: "Our worker stopped before it recorded an answer; the endpoint may have got the request.",
  internal: "An error on our side ended the attempt.",
  redirect_not_followed: "The endpoint answered with a redirect, which is never followed.",
};

/** One plain sentence on an attempt's `error_code`; null is an attempt that was ok. */
export function explainOutcome(errorCode: string | null): string {
  if (errorCode === null) return "The endpoint accepted the delivery.";
  const status = /^http_(\d+)$/.exec(errorCode)?.[1];
  if (status) return `The endpoint answered with status ${status}.`;
  return Object.hasOwn(ERROR_TEXTS, errorCode)
    ? ERROR_TEXTS[errorCode as keyof typeof ERROR_TEXTS]
    : `The attempt failed (${errorCode}).`;
}
