import { setTimeout as delay } from "node:timers/promises";
import type { Order } from "#contracts/orders.ts";
import { callApi } from "./api.ts";
import type { DemoTenant } from "./state.ts";

const CUSTOMERS = ["cus_ada", "cus_grace", "cus_linus", "cus_margaret"];
const PRICES = [9.5, 24.9, 49, 120.25, 310];
const PAUSE_MS = 3_000;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Keeps doing what a small shop does, through the API; gives the function that ends it. Failures only cost a turn. */
export function startTraffic(origin: string, tenants: readonly DemoTenant[]): () => Promise<void> {
  const stopping = new AbortController();
  const running = run(origin, tenants, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}

async function run(origin: string, tenants: readonly DemoTenant[], signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const tenant = tenants[turn % tenants.length];
    if (tenant) await act(origin, tenant.api_key, turn).catch(() => {});
    await delay(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

/** An order, most of them paid; now and then an invoice; rarely what the hanging endpoint subscribes to. */
async function act(origin: string, key: string, turn: number): Promise<void> {
  if (turn % 40 === 2) {
    await callApi(origin, key, "POST", "/events", {
      type: "inventory.low",
      data: { sku: "mug-blue", left: 3 },
    });
  } else if (turn % 5 === 4) {
    const data = { invoice: `inv_${1000 + turn}`, amount: pick(PRICES), customer: pick(CUSTOMERS) };
    await callApi(origin, key, "POST", "/events", { type: "invoice.paid", data });
  } else {
    const order = await callApi<Order>(origin, key, "POST", "/orders", {
      CustomerId: pick(CUSTOMERS),
      Total: pick(PRICES),
      Currency: "EUR",
      shipping_address: { line1: "1 High Street", city: "Leeds", country: "GB" },
    });
    if (turn % 4 !== 3) await callApi(origin, key, "POST", `/orders/${order.id}/payment`, { method: "card" });
  }
}
