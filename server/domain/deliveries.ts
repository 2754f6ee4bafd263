import type { DeliveryStatus } from "#contracts/deliveries.ts";

/** The states from which a delivery may be sent again: those in which nothing is planned any more. */
export const REPLAYABLE: readonly DeliveryStatus[] = ["delivered", "failed", "cancelled", "dismissed"];

export const mayReplay = (status: DeliveryStatus): boolean => REPLAYABLE.includes(status);
