import type { TlsReason, TransportErrorCode } from "#contracts/outcomes.ts";

/** An end of a try that the sender itself decided on. */
export class SendError extends Error {
  override name = "SendError";
  readonly errorCode: TransportErrorCode;

  constructor(errorCode: TransportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.errorCode = errorCode;
  }
}

/** What came is no answer of HTTP/1.1, or too much of one. */
export function badResponse(message: string): SendError {
  return new SendError("bad_response", message);
}

const TLS_REASON_OF: Record<string, TlsReason> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "not_yet_valid",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self_signed",
  SELF_SIGNED_CERT_IN_CHAIN: "self_signed",
  ERR_TLS_CERT_ALTNAME_INVALID: "wrong_host",
  HOSTNAME_MISMATCH: "wrong_host",
  CERT_REVOKED: "revoked",
  UNABLE_TO_GET_ISSUER_CERT: "untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "untrusted",
  CERT_SIGNATURE_FAILURE: "untrusted",
  CERT_CHAIN_TOO_LONG: "untrusted",
  CERT_UNTRUSTED: "untrusted",
  CERT_REJECTED: "untrusted",
  INVALID_CA: "untrusted",
  INVALID_PURPOSE: "untrusted",
  PATH_LENGTH_EXCEEDED: "untrusted",
};

const ERROR_CODE_OF: Record<string, TransportErrorCode> = {
  ECONNREFUSED: "connection_refused",
  EHOSTUNREACH: "connection_refused",
  EHOSTDOWN: "connection_refused",
  ENETUNREACH: "connection_refused",
  ENETDOWN: "connection_refused",
  // An IPv6 address where there is no IPv6.
  EADDRNOTAVAIL: "connection_refused",
  EAFNOSUPPORT: "connection_refused",
  EACCES: "connection_refused",
  EPERM: "connection_refused",
  ECONNRESET: "connection_reset",
  ECONNABORTED: "connection_reset",
  EPIPE: "connection_reset",
  ETIMEDOUT: "timeout",
};

/**
 * The `error_code` of whatever node:net or node:tls ended a try with. What is not known is taken for our own failure (no
 * file descriptors left) and so never held against an endpoint.
 */
export function errorCodeOf(error: unknown): TransportErrorCode {
  if (error instanceof SendError) return error.errorCode;
  if (!(error instanceof Error)) return "internal";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const tlsReason = TLS_REASON_OF[code];
  if (tlsReason) return `tls_${tlsReason}`;
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") || code === "EPROTO") return "tls_handshake";
  return ERROR_CODE_OF[code] ?? "internal";
}
