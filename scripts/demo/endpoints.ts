import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { NewEndpoint } from "#contracts/endpoints.ts";
import { moveEndpoint } from "#db/queries/endpoints.ts";
import { createClient } from "#sdk/index.ts";
import type { Services } from "#server/context.ts";
import { writePrivateJson } from "../start/private-file.ts";
import type { DemoState, DemoTenant } from "./state.ts";

type Wanted = Pick<NewEndpoint, "event_types" | "description"> & Partial<NewEndpoint>;

const GOOD = "/webhooks/provider";

/** The first tenant shows life of every kind, the second a quiet business. */
const ENDPOINTS: Record<string, Wanted>[] = [
  {
    [GOOD]: {
      event_types: ["*"],
      description: "Verifies, stores and answers 202",
      signature_format: "timestamped",
    },
    "/unavailable": { event_types: ["PaymentCaptured"], description: "Always answers 503" },
    "/hang": {
      event_types: ["inventory.*"],
      description: "Never answers",
      timeout_ms: 2_000,
      max_in_flight: 2,
    },
    "/gone": { event_types: ["OrderCreated"], description: "Answers 410: gone for good" },
  },
  { [GOOD]: { event_types: ["Order*", "PaymentCaptured"], description: "Verifies, stores and answers 202" } },
];

export interface RegisterOptions {
  services: Services;
  state: DemoState;
  origin: string;
  consumerUrl: string;
  secretsFile: string;
}

/** Registers the endpoints that are missing, moves those of an earlier start to the consumer's port, tells it the secrets. */
export async function registerEndpoints({
  services,
  state,
  origin,
  consumerUrl,
  secretsFile,
}: RegisterOptions): Promise<void> {
  for (const [index, tenant] of state.tenants.entries())
    for (const [path, wanted] of Object.entries(ENDPOINTS[index] ?? {})) {
      const url = consumerUrl + path;
      const known = tenant.endpoints[path];
      if (known)
        await moveEndpoint(services.db, tenant.id.slice("ten_".length), known.id.slice("whe_".length), url);
      else tenant.endpoints[path] = await register(origin, tenant, { ...wanted, url });
    }
  mkdirSync(dirname(secretsFile), { recursive: true });
  writePrivateJson(secretsFile, secretsOf(state));
}

async function register(origin: string, tenant: DemoTenant, wanted: Wanted & { url: string }) {
  const client = createClient({ baseUrl: `${origin}/api/v1`, apiKey: tenant.api_key });
  const made = await client.createWebhookEndpoint({ body: wanted });
  return { id: made.id, secret: made.secret, keyId: made.secret_key_id };
}

/** Secrets by path and key id; several tenants may send to one path. */
function secretsOf({ tenants }: DemoState): Record<string, Record<string, string[]>> {
  const secrets: Record<string, Record<string, string[]>> = {};
  for (const tenant of tenants)
    for (const [path, { secret, keyId }] of Object.entries(tenant.endpoints)) {
      secrets[path] = { ...secrets[path], [keyId]: [...(secrets[path]?.[keyId] ?? []), secret] };
    }
  return secrets;
}
