import type { Delivery } from "#contracts/deliveries.ts";
import type { TransportErrorCode } from "#contracts/outcomes.ts";

const SHORT: Record<TransportErrorCode | "redirect_not_followed", string> = {
  dns_failure: "DNS failure",
  connection_refused: "Refused connection",
  connection_reset: "Connection reset",
  connect_timeout: "Connect timeout",
  timeout: "Timeout",
  tls_expired: "TLS expired",
  tls_not_yet_valid: "TLS not yet valid",
  tls_self_signed: "TLS self-signed",
  tls_wrong_host: "TLS wrong host",
  tls_untrusted: "TLS untrusted",
  tls_revoked: "TLS revoked",
  tls_handshake: "TLS handshake",
  bad_response: "Not HTTP",
  address_blocked: "Address blocked",
  worker_lost: "Worker lost",
  internal: "Our error",
  redirect_not_followed: "Redirect",
};

/** An `error_code` in two or three words, for the width of a column. */
export function resultLabel(errorCode: string): string {
  const status = /^http_(\d+)$/.exec(errorCode)?.[1];
  if (status) return status;
  return Object.hasOwn(SHORT, errorCode) ? SHORT[errorCode as keyof typeof SHORT] : errorCode;
}

/** What the endpoint last said to a delivery; `null` before the first result. */
export function lastResult(delivery: Delivery): string | null {
  if (delivery.failure_reason !== null) return resultLabel(delivery.failure_reason);
  return delivery.status === "delivered" ? "2xx" : null;
}
