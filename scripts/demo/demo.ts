import { join } from "node:path";
import { withTransaction } from "#db/client.ts";
import type { Services } from "#server/context.ts";
import { createApiKey } from "#server/keys/create-api-key.ts";
import type { Settings } from "#server/settings/settings.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import type { Children } from "../start/children.ts";
import { choosePort } from "../start/port.ts";
import { writePrivateJson } from "../start/private-file.ts";
import type { SignIn } from "../start/sign-in.ts";
import { registerEndpoints } from "./endpoints.ts";
import { type DemoTenant, readState, saveState } from "./state.ts";
import { startTraffic } from "./traffic.ts";

/** What `demo.json` tells. */
export interface Demo {
  origin: string;
  base_url: string;
  console: { email: string; password: string | null };
  tenants: { id: string; name: string; api_key: string }[];
  metrics_token: string;
  consumer_url: string;
}

export interface DemoOptions {
  services: Services;
  consumer: Consumer;
  settings: Settings;
  dataDir: string;
  origin: string;
  signIn: SignIn;
  onStop(cleanup: () => Promise<void>): void;
}

/** The example consumer, once it runs. */
export interface Consumer {
  url: string;
  port: number;
  secretsFile: string;
}

const TENANTS = ["Acme Shop", "Globex"];

/** Starts the example consumer, on the port of last time when that is free: before the worker, whose backlog is for it. */
export async function startConsumer(children: Children, dataDir: string): Promise<Consumer> {
  const { consumerPort = 0 } = readState(dataDir);
  const host = "127.0.0.1";
  const port = await choosePort(host, consumerPort).catch(() => choosePort(host, 0));
  const secretsFile = join(dataDir, "consumer", "secrets.json");
  await children.start("consumer", "example-consumer/main.ts", {
    PORT: String(port),
    HOST: host,
    CONSUMER_DATA_DIR: join(dataDir, "consumer"),
    CONSUMER_SECRETS_FILE: secretsFile,
  });
  return { url: `http://${host}:${port}`, port, secretsFile };
}

/**
 * Makes two tenants with their keys and endpoints when there are none yet, keeps publishing sample events, and writes
 * `demo.json` for whoever wants to talk to it.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { services, consumer, settings, dataDir, origin, signIn } = options;
  const state = { ...readState(dataDir), consumerPort: consumer.port };
  for (const name of TENANTS.slice(state.tenants.length)) {
    state.tenants.push(await makeTenant(services, name));
    saveState(dataDir, state);
  }
  await registerEndpoints({
    services,
    state,
    origin,
    consumerUrl: consumer.url,
    secretsFile: consumer.secretsFile,
  });
  saveState(dataDir, state);

  if (settings.demoTraffic) options.onStop(startTraffic(origin, state.tenants));
  const demo: Demo = {
    origin,
    base_url: `${origin}/api/v1`,
    console: signIn,
    tenants: state.tenants.map(({ id, name, api_key }) => ({ id, name, api_key })),
    metrics_token: settings.metricsToken ?? services.keyring.derive("metrics"),
    consumer_url: consumer.url,
  };
  writePrivateJson(join(dataDir, "demo.json"), demo);
  return demo;
}

function makeTenant({ db }: Services, name: string): Promise<DemoTenant> {
  const now = new Date();
  return withTransaction(db, async (tx) => {
    const { id } = await createTenant(tx, { name, now });
    const { key } = await createApiKey(tx, { tenantId: id, name: "demo", now });
    return { id: `ten_${id}`, name, api_key: key, endpoints: {} };
  });
}
