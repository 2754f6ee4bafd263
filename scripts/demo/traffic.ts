import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "#sdk/index.ts";
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
  const baseUrl = `${origin}/api/v1`;
  const clients = tenants.map((tenant) => createClient({ baseUrl, apiKey: tenant.api_key }));
  for (let turn = 0; !signal.aborted; turn++) {
    const client = clients[turn % clients.length];
    if (client) await act(client, turn, signal).catch(() => {});
    await delay(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

/** An order, most of them paid; now and then an invoice; rarely what the hanging endpoint subscribes to. */
async function act(client: Client, turn: number, signal: AbortSignal): Promise<void> {
  if (turn % 40 === 2) {
    const body = { type: "inventory.low", data: { sku: "mug-blue", left: 3 } };
    await client.publishEvent({ body, signal });
  } else if (turn % 5 === 4) {
    const data = { invoice: `inv_${1000 + turn}`, amount: pick(PRICES), customer: pick(CUSTOMERS) };
    await client.publishEvent({ body: { type: "invoice.paid", data }, signal });
  } else {
    const body = {
      CustomerId: pick(CUSTOMERS),
      Total: pick(PRICES),
      Currency: "EUR",
      shipping_address: { line1: "1 High Street", city: "Leeds", country: "GB" },
    };
    const { id } = await client.createOrder({ body, signal });
    if (turn % 4 !== 3) await client.payOrder({ params: { id }, body: { method: "card" }, signal });
  }
}
