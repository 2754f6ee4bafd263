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
  children: Children;
  settings: Settings;
  dataDir: string;
  origin: string;
  signIn: SignIn;
  onStop(cleanup: () => Promise<void>): void;
}

const TENANTS = ["Acme Shop", "Globex"];

/**
 * Starts the example consumer, makes two tenants with their keys and endpoints when there are none yet, keeps publishing
 * sample events, and writes `demo.json` for whoever wants to talk to it.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { services, children, settings, dataDir, origin, signIn } = options;
  const state = readState(dataDir);
  const consumerPort = await choosePort("127.0.0.1", state.consumerPort ?? 0).catch(() =>
    choosePort("127.0.0.1", 0),
  );
  const secretsFile = join(dataDir, "consumer", "secrets.json");
  const consumerUrl = `http://127.0.0.1:${consumerPort}`;
  await children.start("consumer", "example-consumer/main.ts", {
    PORT: String(consumerPort),
    HOST: "127.0.0.1",
    CONSUMER_DATA_DIR: join(dataDir, "consumer"),
    CONSUMER_SECRETS_FILE: secretsFile,
  });

  for (const name of TENANTS.slice(state.tenants.length))
    state.tenants.push(await makeTenant(services, name));
  saveState(dataDir, { ...state, consumerPort });
  await registerEndpoints({ services, state, origin, consumerUrl, secretsFile });
  saveState(dataDir, { ...state, consumerPort });

  if (settings.demoTraffic) options.onStop(startTraffic(origin, state.tenants));
  const demo: Demo = {
    origin,
    base_url: `${origin}/api/v1`,
    console: signIn,
    tenants: state.tenants.map(({ id, name, api_key }) => ({ id, name, api_key })),
    metrics_token: settings.metricsToken ?? services.keyring.derive("metrics"),
    consumer_url: consumerUrl,
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
