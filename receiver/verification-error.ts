/** Why a request is not to be believed. Each is answered with 401. */
export type VerificationFailure =
  | "missing_signature"
  | "malformed_signature"
  | "unknown_key"
  | "wrong_signature"
  | "stale_timestamp"
  | "future_timestamp"
  | "unsigned_timestamp"
  | "delivery_id_mismatch";

const MESSAGES: Record<VerificationFailure, string> = {
  missing_signature: "The request has neither X-Signature nor webhook-signature.",
  malformed_signature: "A signature header is not in a known form.",
  unknown_key: "No given secret has the key id that the signature names.",
  wrong_signature: "The signature is not that of this body under the given secrets.",
  stale_timestamp: "The request was signed too long ago.",
  future_timestamp: "The request was signed too far in the future.",
  unsigned_timestamp: "No verified signature says when the request was made.",
  delivery_id_mismatch: "X-Delivery is not the signed webhook-id.",
};

/** Thrown by `verify`; `reason` is stable and safe to show. */
export class VerificationError extends Error {
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure) {
    super(MESSAGES[reason]);
    this.name = "VerificationError";
    this.reason = reason;
  }
}
