import type { DeliveryRecord, DeliveryStore } from "./store.ts";

/**
 * Keeps the newest `maxRecords` (default 10,000) deliveries in memory: for tests and trials. It forgets all of them
 * with the process, and a delivery older than that is taken for new when it is repeated.
 */
export function memoryStore({ maxRecords = 10_000 }: { maxRecords?: number } = {}): DeliveryStore & {
  records(): IterableIterator<DeliveryRecord>;
} {
  const records = new Map<string, DeliveryRecord>();
  return {
    async insert(deliveryId, record) {
      if (records.has(deliveryId)) return "known";
      records.set(deliveryId, record);
      const oldest = records.keys().next();
      if (records.size > maxRecords && !oldest.done) records.delete(oldest.value);
      return "stored";
    },
    records: () => records.values(),
  };
}
