export { type FileStore, fileStore } from "./file-store.ts";
export { type DeliveryIdentity, deliveryIdentity, type HeaderSource } from "./headers.ts";
export type { SecretSet, Secrets } from "./keys.ts";
export { memoryStore } from "./memory-store.ts";
export type { Outcome, Result } from "./outcome.ts";
export { createReceiver, type Receiver, type ReceiverOptions } from "./receiver.ts";
export type { DeliveryRecord, DeliveryStore } from "./store.ts";
export { VerificationError, type VerificationFailure } from "./verification-error.ts";
export { type Verified, type VerifyOptions, type VerifyPolicy, verify } from "./verify.ts";
