import { fileURLToPath } from "node:url";
import { fromId } from "#contracts/ids.ts";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { newRootKey } from "#server/crypto/keyring.ts";
import { createApiKey } from "#server/keys/create-api-key.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { ApiClient } from "./api-client.ts";
import { CAST, type TenantPart } from "./cast.ts";
import { Child } from "./child.ts";
import type { ChaosServer } from "./database.ts";
import type { KnownEndpoint, KnownTenant } from "./evidence.ts";
import type { Process } from "./inject.ts";
import { Line } from "./line.ts";
import { Receivers } from "./receivers.ts";
import { recordReopenings } from "./recorder.ts";

export interface StageOptions {
  webs: number;
  workers: number;
  /** SQL that is run before anything starts. */
  sql?: string;
  /** A module that web processes or workers load before anything else. */
  preload?: { webs?: string; workers?: string };
}

export interface StagedTenant extends KnownTenant {
  key: string;
}

/** Everything that takes part in a run, up and ready. */
export interface Stage {
  /** A way to the database that nothing is done to. */
  db: Db;
  webs: Process[];
  workers: Process[];
  receivers: Receivers;
  api: ApiClient;
  tenants: StagedTenant[];
  endpoints: KnownEndpoint[];
  secrets: Record<string, string | Buffer>;
  /** Ends whatever is still there. */
  clear(): Promise<void>;
}

/** Makes a database, starts the processes, and makes tenants and endpoints over the API. */
export async function setStage(server: ChaosServer, options: StageOptions): Promise<Stage> {
  const database = await server.createDatabase();
  const db = connect(server.urlOf(database), { name: "chaos", maxConnections: 4 });
  const receivers = new Receivers();
  const rootKey = newRootKey("k1");
  const secrets: Record<string, string | Buffer> = { "the root key": rootKey.split(":")[1] ?? "" };
  const processes: Process[] = [];
  const clear = async () => {
    for (const { child, line } of processes) {
      child.destroy();
      line.close();
    }
    receivers.close();
    await db.close();
  };
  const open = async (name: string, program: string, preload: string | undefined): Promise<Process> => {
    const line = await Line.open(() => server.port);
    const url = new URL(server.urlOf(database));
    url.port = String(line.port);
    const env = { ...SETTINGS, DATABASE_URL: url.href, ENCRYPTION_KEYS: rootKey, ...preloading(preload) };
    const opened = { child: new Child({ name, program, env }), line };
    processes.push(opened);
    return opened;
  };
  try {
    await recordReopenings(db);
    const { preload } = options;
    const webs = await Promise.all(named("web", options.webs).map((name) => open(name, WEB, preload?.webs)));
    const workers = await Promise.all(
      named("worker", options.workers).map((name) => open(name, WORKER, preload?.workers)),
    );
    await Promise.all(processes.map(({ child }) => child.start()));
    const api = new ApiClient(webs.map(({ child }) => child));
    const staged = { db, webs, workers, receivers, api, secrets, clear };
    const tenants: StagedTenant[] = [];
    const endpoints: KnownEndpoint[] = [];
    for (const part of CAST) {
      const tenant = await makeTenant(db, part);
      secrets[`the API key of ${part.name}`] = tenant.key.split("_")[3]?.slice(0, 32) ?? "";
      tenants.push(tenant);
      endpoints.push(...(await makeEndpoints(staged, tenant, part)));
    }
    if (options.sql) await db.query(options.sql);
    return { ...staged, tenants, endpoints };
  } catch (error) {
    await clear();
    throw error;
  }
}

const WEB = fileURLToPath(new URL("web-process.ts", import.meta.url));
const WORKER = fileURLToPath(new URL("../../workers/main.ts", import.meta.url));

const SETTINGS = {
  HOST: "127.0.0.1",
  PORT: "0",
  ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
  RETRY_SCALE: "0.001",
  RATE_LIMIT_REQUESTS: "0",
  RATE_LIMIT_EVENTS: "0",
  LOG_LEVEL: "debug",
};

const named = (what: string, count: number) => Array.from({ length: count }, (_, at) => `${what} ${at + 1}`);

const preloading = (module: string | undefined): Record<string, string> =>
  module ? { NODE_OPTIONS: `--import=${module}` } : {};

async function makeTenant(db: Db, { name }: TenantPart): Promise<StagedTenant> {
  return withTransaction(db, async (tx) => {
    const now = new Date();
    const { id } = await createTenant(tx, { name, now });
    const { key } = await createApiKey(tx, { tenantId: id, name: "chaos", now });
    return { id, name, key };
  });
}

async function makeEndpoints(
  { api, receivers, secrets }: Pick<Stage, "api" | "receivers" | "secrets">,
  tenant: StagedTenant,
  { endpoints }: TenantPart,
): Promise<KnownEndpoint[]> {
  return Promise.all(
    endpoints.map(async ({ manner, eventTypes, settings }) => {
      const { url, become } = await receivers.open(manner);
      const body = JSON.stringify({ url, event_types: eventTypes, ...settings });
      const answer = await api.call(tenant.key, "POST", "/webhook-endpoints", body);
      if (answer?.status !== 201) throw new Error(`no endpoint was made: ${answer?.text}`);
      const made: { id: string; secret: string } = JSON.parse(answer.text);
      const id = fromId("endpoint", made.id) ?? "";
      become(id, made.secret);
      const text = made.secret.slice("whsec_".length);
      secrets[`the secret of ${tenant.name}'s ${manner} endpoint`] = text;
      secrets[`the bytes of the secret of ${tenant.name}'s ${manner} endpoint`] = Buffer.from(text, "base64");
      for (const value of Object.values("headers" in settings ? (settings.headers as object) : {}))
        secrets[`a header of ${tenant.name}'s ${manner} endpoint`] = value;
      return { id, tenantId: tenant.id, manner, eventTypes };
    }),
  );
}
