/** A verified delivery, as it is stored. */
export type DeliveryRecord = {
  deliveryId: string;
  /** `X-Event`. No signature covers it: what acts on the event should read `type` in the body. */
  eventType: string;
  /** Id of the secret that verified it; null when that was given without one. */
  keyId: string | null;
  /** ISO 8601. */
  receivedAt: string;
  /** The raw bytes that were verified. */
  body: Uint8Array;
};

/** Where deliveries are kept under a unique delivery id. */
export type DeliveryStore = {
  /**
   * Keeps the record unless its id is known, durably before it answers. Of two calls at once with one id, one
   * answers `stored` and the other `known`, and that only once the first is durable. Rejects when it cannot store.
   */
  insert(deliveryId: string, record: DeliveryRecord): Promise<"stored" | "known">;
};
