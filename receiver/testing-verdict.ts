import { VerificationError, type Verified, type VerifyOptions, verify } from "./index.ts";
import { SECRET, type SignedDelivery } from "./testing-delivery.ts";

/** The present of these tests, in unix seconds. */
export const NOW = 1_700_000_000;

/** Verifies at `NOW` with `SECRET` as key `v1`, unless told otherwise. */
export function check(delivery: SignedDelivery, options: Partial<VerifyOptions> = {}): Verified {
  return verify({ secrets: { v1: SECRET }, now: new Date(NOW * 1000), ...delivery, ...options });
}

/** `verified`, or the reason of the refusal. */
export function verdict(delivery: SignedDelivery, options: Partial<VerifyOptions> = {}): string {
  try {
    check(delivery, options);
  } catch (error) {
    if (error instanceof VerificationError) return error.reason;
    throw error;
  }
  return "verified";
}
