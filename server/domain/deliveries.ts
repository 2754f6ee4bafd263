import type { DeliveryStatus } from "#contracts/deliveries.ts";
import type { Link } from "#contracts/page.ts";

/** What somebody may do with a delivery, and in which of its states. A request that is under way is never stopped. */
const ACTIONS = {
  replay: ["delivered", "failed", "cancelled", "dismissed"],
  dismiss: ["failed"],
  cancel: ["pending"],
} as const satisfies Record<string, readonly DeliveryStatus[]>;

/** The states from which a delivery may be sent again: those in which nothing is planned any more. */
export const REPLAYABLE: readonly DeliveryStatus[] = ACTIONS.replay;

/** The links of a delivery that is found at `self`: only what its state allows. */
export function deliveryLinks(status: DeliveryStatus, self: string): Link[] {
  const allowed = Object.entries(ACTIONS).filter(([, from]) =>
    (from as readonly DeliveryStatus[]).includes(status),
  );
  return [
    { rel: "self", href: self, method: "GET" },
    { rel: "attempts", href: `${self}/attempts`, method: "GET" },
    ...allowed.map(([rel]) => ({ rel, href: `${self}/${rel}`, method: "POST" as const })),
  ];
}
