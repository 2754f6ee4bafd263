import type { Delivery } from "#contracts/deliveries.ts";
import { isMoving } from "./delivery-rows.ts";
import { counted } from "./format.ts";

/** How far an event has come, in words. */
export interface FanOut {
  tone: "good" | "bad" | "wait" | "idle";
  headline: string;
  /** What has become of the rest; `null` when there is none. */
  rest: string | null;
  failed: number;
}

/** Sums up the deliveries of an event. */
export function fanOutOf(deliveries: readonly Delivery[]): FanOut {
  const count = (status: Delivery["status"]) => deliveries.filter((one) => one.status === status).length;
  const [delivered, failed] = [count("delivered"), count("failed")];
  const moving = deliveries.filter(isMoving).length;
  if (deliveries.length === 0)
    return { tone: "idle", headline: "No endpoint listened to it", rest: null, failed: 0 };
  const parts = [
    failed > 0 && `${failed} failed`,
    moving > 0 && `${moving} still being tried`,
    count("cancelled") > 0 && `${count("cancelled")} cancelled`,
    count("dismissed") > 0 && `${count("dismissed")} dismissed`,
  ].filter((part) => part !== false);
  const all = counted(deliveries.length, "endpoint");
  return {
    tone: failed > 0 ? "bad" : moving > 0 ? "wait" : delivered > 0 ? "good" : "idle",
    headline:
      delivered === deliveries.length && delivered === 1
        ? "Delivered to its endpoint"
        : `Delivered to ${delivered} of ${all}`,
    rest: parts.length > 0 ? parts.join(", ") : null,
    failed,
  };
}
